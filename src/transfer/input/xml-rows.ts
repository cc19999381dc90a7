import type {SAXParser} from 'sax'
import {InputError} from '../files/input-error.js'
import {unsafeBecause} from './json-hygiene.js'
import {maxRowBytes, type Places, type Source, type SourceRow} from './row.js'
import {localName, type XmlHandlers, xmlPieces} from './xml.js'

/** The member that holds the text of an element which has attributes as well. */
export const elementText = '#text'

type Document = Record<string, unknown>

interface Open {
  readonly name: string
  readonly members: Document
  readonly line: number
  text: string
}

const maxAttributes = 100

/**
 * The rows of an XML file, with the memory of a few of them: elements become members, repeated ones lists, attributes
 * members with `@`, and what is empty an empty text. The attributes and the size of a row are bounded. Throws InputError
 * that names the line.
 */
export async function* xmlRows(
  source: Source,
  chunks: AsyncIterable<Buffer>,
  {rows: rowName, placeOf}: {readonly rows: string | undefined; readonly placeOf: Places},
  numberFrom: () => number,
): AsyncGenerator<Iterable<SourceRow>> {
  const {name: file} = source
  if (rowName === undefined) {
    throw new InputError(`${file} is XML, and no map says which element is a row.`, {
      file,
      remedy: 'Add --preset salesforce, or a map file with "rows": "ELEMENT".',
    })
  }
  const fail = (what: string, parser: SAXParser, cause?: unknown): never => {
    const line = parser.line + 1
    throw new InputError(`${file}, line ${line}: it ${what}.`, {file, line}, {cause})
  }
  async function* texts(): AsyncGenerator<string> {
    for await (const chunk of chunks) yield chunk.toString('utf8')
  }
  let found = false
  for await (const ready of xmlPieces<Open>(texts(), fail, (emit, parser) => rowReader(rowName, emit, parser, fail))) {
    found ||= ready.length > 0
    yield ready.map(({members, line}) => rowOf(members, {place: placeOf(line), number: numberFrom()}))
  }
  if (!found) throw new InputError(`${file} has no element '${rowName}', which is a row.`, {file})
}

function rowOf(document: Document, numbered: Pick<SourceRow, 'place' | 'number'>): SourceRow {
  const unsafe = unsafeBecause(document)
  if (unsafe === undefined) return {...numbered, kind: 'document', document}
  return {...numbered, kind: 'broken', issue: {code: 'InvalidInput', message: `The row cannot be used: ${unsafe}.`}}
}

function rowReader(
  rowName: string,
  emit: (row: Open) => void,
  parser: SAXParser,
  fail: (what: string, parser: SAXParser) => never,
): XmlHandlers {
  /** The elements from the row inwards; none outside of a row. */
  const elements: Open[] = []
  let [tagLine, rowStart] = [1, 0]
  parser.onopentagstart = () => {
    tagLine = parser.line + 1
  }
  const checkSize = (): void => {
    if (parser.position - rowStart > maxRowBytes) fail(`has a row that is longer than ${maxRowBytes} bytes`, parser)
  }
  return {
    open(name, attributes) {
      const isRow = elements.length === 0
      if (isRow && name !== rowName) return
      if (isRow) rowStart = parser.position
      else checkSize()
      const given = Object.entries(attributes)
      if (given.length > maxAttributes) fail(`has an element with more than ${maxAttributes} attributes`, parser)
      const members: Document = {}
      for (const [attribute, value] of given) {
        const isAbout = /^(xmlns|xsi)(:|$)/.test(attribute)
        if (!isAbout && value !== '') members[`@${localName(attribute)}`] = value
      }
      if (name === '__proto__') fail("has an element '__proto__', which no name may be", parser)
      elements.push({name, members, line: tagLine, text: ''})
    },
    text(text) {
      const element = elements.at(-1)
      if (!element) return
      element.text += text
      checkSize()
    },
    close() {
      const element = elements.pop()
      if (!element) return
      const parent = elements.at(-1)
      if (parent) put(parent.members, element.name, contentOf(element))
      else emit(element)
    },
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
