import type {SAXOptions, SAXParser} from 'sax'
import {limits} from '../../work/limits.js'

/** What a document says, element by element. Names come without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML piece by piece, and gives what the handlers emit of each. There are no entities but those of XML itself: a
 * document type, which would declare some, is refused. Throws what `fail` throws for a document that cannot be read.
 */
export async function* xmlPieces<T>(
  texts: AsyncIterable<string>,
  fail: (what: string, parser: SAXParser, cause?: unknown) => never,
  handlersFor: (emit: (value: T) => void, parser: SAXParser) => XmlHandlers,
): AsyncGenerator<readonly T[]> {
  const {default: sax} = await import('sax')
  // It counts positions, since only then it bounds what it keeps of attributes and texts.
  const parser = sax.parser(true, {strictEntities: true} as SAXOptions)
  let found: T[] = []
  let depth = 0
  const handlers = handlersFor((value) => found.push(value), parser)
  parser.onerror = (error) => fail(`is not well-formed XML: ${error.message.split('\n', 1)[0]}`, parser, error)
  parser.ondoctype = () => fail('has a document type, which is not read', parser)
  parser.onopentag = ({name, attributes}) => {
    depth += 1
    if (depth > limits.jsonDepth) fail(`nests elements deeper than ${limits.jsonDepth}`, parser)
    handlers.open?.(localName(name), attributes as Record<string, string>)
  }
  parser.ontext = (text) => handlers.text?.(text)
  parser.oncdata = (text) => handlers.text?.(text)
  parser.onclosetag = (name) => {
    depth -= 1
    handlers.close?.(localName(name))
  }
  for await (const text of texts) {
    parser.write(text)
    yield found
    found = []
  }
  parser.close()
  yield found
}
