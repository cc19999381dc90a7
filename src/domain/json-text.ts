/**
 * The JSON of a document as the bytes of its UTF-8, one character each. A reply is joined of such texts and sent as they
 * are: to encode a text that has one letter beyond ASCII takes ten times as long as to copy its bytes.
 */
export class JsonText {
  /** Characters up to U+00FF, each one byte: `latin1` for Node. */
  readonly bytes: string

  private constructor(bytes: string) {
    this.bytes = bytes
  }

  static of(text: string): JsonText {
    return new JsonText(isAscii(text) ? text : Buffer.from(text).toString('latin1'))
  }

  static ofBytes(bytes: string): JsonText {
    return new JsonText(bytes)
  }

  get text(): string {
    return isAscii(this.bytes) ? this.bytes : Buffer.from(this.bytes, 'latin1').toString()
  }

  /** `JSON.stringify` of a JsonText gives the document. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Every other character takes more than one byte. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/** What it makes is the object that it is given. */
class Itself {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: how a class adds a private field to an object that is there.
    return object
  }
}

/**
 * The JSON of documents, kept with them: what was read from a state came as text, and what was committed was written as
 * text, so that a reply need not be made a second time. A document never changes once it is stored. The text is a
 * private field of the document, which no copy takes along; an entry of a WeakMap costs four times as much.
 */
class Kept extends Itself {
  #text: string | JsonText

  private constructor(document: object, text: string | JsonText) {
    super(document)
    this.#text = text
  }

  static keep(document: object, text: string | JsonText): void {
    if (#text in document) document.#text = text
    else new Kept(document, text)
  }

  static textOf(document: object): string | JsonText | undefined {
    return #text in document ? document.#text : undefined
  }
}

/** Keeps the JSON text of a document, which must not change from here on; returns the document, frozen at its top. */
export function withJsonText<D extends object>(document: D, text: string | JsonText): Readonly<D> {
  Kept.keep(document, text)
  return Object.freeze(document)
}

/** The JSON text of a document; made and kept if nobody has made it yet. The document must not change from here on. */
export function keptJsonText(document: object): string {
  const kept = Kept.textOf(document)
  if (kept !== undefined) return typeof kept === 'string' ? kept : kept.text
  const made = JSON.stringify(document)
  withJsonText(document, made)
  return made
}

/** The JSON of an object with members, with one more at its end, whose JSON is known. */
export const jsonWith = (object: string, member: string, json: string): string =>
  `${object.slice(0, -1)},${JSON.stringify(member)}:${json}}`

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const keptWith = (value: unknown): string | JsonText | undefined =>
  isObject(value) ? (value instanceof JsonText ? value : Kept.textOf(value)) : undefined

/** The JSON text of any value: the one that is kept with it, or a new one that nobody keeps. */
export function jsonTextOf(value: unknown): string {
  const kept = keptWith(value)
  return kept === undefined ? JSON.stringify(value) : typeof kept === 'string' ? kept : kept.text
}

/** As `jsonTextOf`, as bytes. */
export function jsonOf(value: unknown): JsonText {
  const kept = keptWith(value)
  return kept instanceof JsonText ? kept : JsonText.of(kept ?? JSON.stringify(value))
}

/** Whether its JSON is one text: what is kept with it, or one call for a value without objects in it. */
function isOneText(value: unknown): boolean {
  if (!isObject(value) || keptWith(value) !== undefined) return true
  // A loop with `in` is compiled again and again on Node 24.
  for (const name of Object.keys(value)) if (isObject((value as Readonly<Record<string, unknown>>)[name])) return false
  return true
}

/** The JSON of a value as bytes, in texts made as they are drawn: those kept with documents, and what stands between them. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (!isObject(value) || isOneText(value)) {
    yield jsonOf(value).bytes
    return
  }
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue
    yield isList ? before : `${before}${nameOf(name)}`
    if (isOneText(member)) yield jsonOf(member ?? null).bytes
    else yield* jsonPieces(member)
    before = ','
  }
  yield isList ? ']' : '}'
}

/**
 * The JSON of a value as bytes, at once, where it is made of few texts that are kept, and of few bytes; undefined for what
 * takes `jsonPieces`.
 */
export function shortJson(value: unknown, texts: number, bytes: number): string | undefined {
  return shortPiece(value, {texts, bytes})
}

/** A name that stands in JSON as it is. */
const plainName = /^\w+$/

const nameOf = (name: string): string => (plainName.test(name) ? `"${name}":` : `${jsonOf(name).bytes}:`)

function shortPiece(value: unknown, room: {texts: number; bytes: number}): string | undefined {
  room.texts -= 1
  if (room.texts < 0) return undefined
  if (typeof value === 'number') return within(room, JSON.stringify(value))
  if (!isObject(value) || isOneText(value)) return within(room, jsonOf(value ?? null).bytes)
  const isList = Array.isArray(value)
  let text = ''
  if (isList) {
    for (const member of value) {
      const piece = shortPiece(member, room)
      if (piece === undefined) return undefined
      text += text === '' ? piece : `,${piece}`
    }
    return `[${text}]`
  }
  if ('toJSON' in value) return undefined
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (member === undefined) continue
    const piece = shortPiece(member, room)
    if (piece === undefined) return undefined
    text += `${text === '' ? '' : ','}${nameOf(name)}${piece}`
  }
  return `{${text}}`
}

function within(room: {bytes: number}, text: string): string | undefined {
  room.bytes -= text.length
  return room.bytes < 0 ? undefined : text
}
