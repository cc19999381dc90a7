import {limits} from '../../work/limits.js'
import {InputError} from '../files/input-error.js'
import {unsafeBecause} from './json-hygiene.js'
import {maxRowBytes, type Places, type Source, type SourceRow} from './row.js'

/** The member that holds the text of an element which has attributes as well. */
export const elementText = '#text'

type Document = Record<string, unknown>

interface Open {
  readonly name: string
  readonly members: Document
  readonly line: number
  text: string
}

/** No entities but those of XML itself. The types of the library do not know the option yet. */
const strict = {position: true, strictEntities: true} as import('sax').SAXOptions

const maxAttributes = 100

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * The rows of an XML file, with the memory of a few of them: elements become members, repeated ones lists, attributes
 * members with `@`, and what is empty an empty text. Document types are refused, and with them entities of one's own; the
 * nesting, the attributes and the size of a row are bounded. Throws InputError that names the line.
 */
export async function* xmlRows(
  source: Source,
  chunks: AsyncIterable<Buffer>,
  {rows: rowName, placeOf}: {readonly rows: string | undefined; readonly placeOf: Places},
  numberFrom: () => number,
): AsyncGenerator<Iterable<SourceRow>> {
  if (rowName === undefined) {
    throw new InputError(`${source.name} is XML, and no map says which element is a row.`, {
      file: source.name,
      remedy: 'Add --preset salesforce, or a map file with "rows": "ELEMENT".',
    })
  }
  const {default: sax} = await import('sax')
  const parser = sax.parser(true, strict)
  const reader = new RowReader(source, rowName, parser)
  let found = false
  for await (const chunk of chunks) {
    const ready = reader.read(chunk.toString('utf8'))
    found ||= ready.length > 0
    yield ready.map(({document, line}) => rowOf(document, {place: placeOf(line), number: numberFrom()}))
  }
  parser.close()
  if (!found) throw new InputError(`${source.name} has no element '${rowName}', which is a row.`, {file: source.name})
}

function rowOf(document: Document, numbered: Pick<SourceRow, 'place' | 'number'>): SourceRow {
  const unsafe = unsafeBecause(document)
  if (unsafe === undefined) return {...numbered, kind: 'document', document}
  return {...numbered, kind: 'broken', issue: {code: 'InvalidInput', message: `The row cannot be used: ${unsafe}.`}}
}

type Parser = import('sax').SAXParser

class RowReader {
  readonly #source: Source
  readonly #rowName: string
  readonly #parser: Parser
  readonly #ready: {readonly document: Document; readonly line: number}[] = []
  /** The elements from the row inwards; none outside of a row. */
  readonly #open: Open[] = []
  #depth = 0
  #tagLine = 1
  #rowStart = 0

  constructor(source: Source, rowName: string, parser: Parser) {
    this.#source = source
    this.#rowName = rowName
    this.#parser = parser
    parser.onerror = (error) => this.#fail(`is not well-formed XML: ${error.message.split('\n', 1)[0]}`, error)
    parser.ondoctype = () => this.#fail('has a document type, which is not read')
    parser.onopentagstart = () => {
      this.#tagLine = parser.line + 1
    }
    parser.onopentag = ({name, attributes}) => this.#opened(name, attributes as Readonly<Record<string, string>>)
    parser.ontext = (text) => this.#text(text)
    parser.oncdata = (text) => this.#text(text)
    parser.onclosetag = () => this.#closed()
  }

  /** The rows that end in a piece of the text. */
  read(text: string): readonly {readonly document: Document; readonly line: number}[] {
    this.#parser.write(text)
    if (this.#open.length > 0) this.#checkSize()
    return this.#ready.splice(0)
  }

  #fail(what: string, cause?: unknown): never {
    const line = this.#parser.line + 1
    const place = {file: this.#source.name, line}
    throw new InputError(`${this.#source.name}, line ${line}: it ${what}.`, place, {cause})
  }

  #checkSize(): void {
    if (this.#parser.position - this.#rowStart > maxRowBytes)
      this.#fail(`has a row that is longer than ${maxRowBytes} bytes`)
  }

  #opened(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1
    if (this.#depth > limits.jsonDepth) this.#fail(`is nested deeper than ${limits.jsonDepth} elements`)
    const tag = localName(qualified)
    const isRow = this.#open.length === 0
    if (isRow && tag !== this.#rowName) return
    if (isRow) this.#rowStart = this.#parser.position
    else this.#checkSize()
    const given = Object.entries(attributes)
    if (given.length > maxAttributes) this.#fail(`has an element with more than ${maxAttributes} attributes`)
    const members: Document = {}
    for (const [attribute, value] of given) {
      const isAbout = /^(xmlns|xsi)(:|$)/.test(attribute)
      if (!isAbout && value !== '') members[`@${localName(attribute)}`] = value
    }
    if (tag === '__proto__') this.#fail("has an element '__proto__', which no name may be")
    this.#open.push({name: tag, members, line: this.#tagLine, text: ''})
  }

  #text(text: string): void {
    const open = this.#open.at(-1)
    if (!open) return
    open.text += text
    this.#checkSize()
  }

  #closed(): void {
    this.#depth -= 1
    const open = this.#open.pop()
    if (!open) return
    const parent = this.#open.at(-1)
    if (!parent) this.#ready.push({document: open.members, line: open.line})
    else put(parent.members, open.name, contentOf(open))
  }
}

/** An element with nothing but text is that text. White space between elements means nothing. */
function contentOf({members, text}: Open): unknown {
  const isEmpty = Object.keys(members).length === 0
  if (isEmpty) return text
  return text.trim() === '' ? members : {...members, [elementText]: text}
}

function put(members: Document, name: string, value: unknown): void {
  const before = Object.hasOwn(members, name) ? members[name] : ''
  if (before === '') members[name] = value
  else if (value === '') return
  else if (Array.isArray(before)) before.push(value)
  else members[name] = [before, value]
}
