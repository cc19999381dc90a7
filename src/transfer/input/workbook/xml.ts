import type {Readable} from 'node:stream'
import type {SAXOptions} from 'sax'
import {limits} from '../../../work/limits.js'
import {type Archive, damaged} from './archive.js'

/** What a part says, element by element. Names come without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Attributes by local names; of two the one without a prefix. */
function localAttributes(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(attributes)
  if (!names.some((name) => name.includes(':'))) return attributes
  return {...Object.fromEntries(names.map((name) => [localName(name), attributes[name] ?? ''])), ...attributes}
}

/**
 * Reads a part of a workbook piece by piece, and gives what the handlers emit of each.
 * There are no entities but those of XML itself: a document type, which would declare some, is refused.
 */
export async function* xmlPart<T>(
  archive: Archive,
  part: string,
  handlersFor: (emit: (value: T) => void) => XmlHandlers,
): AsyncGenerator<readonly T[]> {
  const {default: sax} = await import('sax')
  let found: T[] = []
  const handlers = handlersFor((value) => found.push(value))
  // It counts positions, since only then it bounds what it keeps of attributes and texts.
  const parser = sax.parser(true, {strictEntities: true} as SAXOptions)
  parser.onerror = (error) => {
    throw error
  }
  parser.ondoctype = () => {
    throw new Error(`${part} has a document type`)
  }
  let depth = 0
  parser.onopentag = ({name, attributes}) => {
    depth += 1
    if (depth > limits.jsonDepth) throw new Error(`${part} nests elements deeper than ${limits.jsonDepth}`)
    handlers.open?.(localName(name), localAttributes(attributes as Record<string, string>))
  }
  parser.ontext = (text) => handlers.text?.(text)
  parser.oncdata = (text) => handlers.text?.(text)
  parser.onclosetag = (name) => {
    depth -= 1
    handlers.close?.(localName(name))
  }
  const stream = await archive.stream(part)
  try {
    for await (const text of textsOf(stream)) {
      parser.write(text)
      yield found
      found = []
    }
    parser.close()
    yield found
  } catch (cause) {
    throw damaged(archive.file, cause)
  } finally {
    stream.destroy()
  }
}

async function* textsOf(stream: Readable): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    decoder ??= new TextDecoder(encodingOf(chunk), {fatal: true})
    yield decoder.decode(chunk, {stream: true})
  }
  if (decoder) yield decoder.decode()
}

/** XML is UTF-8 unless a byte order mark says otherwise. */
function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

export async function readXml(archive: Archive, part: string, handlers: XmlHandlers): Promise<void> {
  for await (const _ of xmlPart(archive, part, () => handlers));
}
