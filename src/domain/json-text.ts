/**
 * The JSON of documents, kept with them: what was read from a state came as text, and what was committed was written as
 * text, so that a reply need not be made a second time. A document never changes once it is stored.
 */
const known = new WeakMap<object, string>()

/** Keeps the JSON text of a document, which must not change from here on; returns the document, frozen at its top. */
export function withJsonText<D extends object>(document: D, text: string): Readonly<D> {
  known.set(document, text)
  return Object.freeze(document)
}

/** The JSON text of a document; made and kept if nobody has made it yet. The document must not change from here on. */
export function keptJsonText(document: object): string {
  const text = known.get(document)
  if (text !== undefined) return text
  const made = JSON.stringify(document)
  withJsonText(document, made)
  return made
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The JSON text of any value: the one that is kept with it, or a new one that nobody keeps. */
export const jsonTextOf = (value: unknown): string =>
  (isObject(value) ? known.get(value) : undefined) ?? JSON.stringify(value)

/** As `jsonTextOf`, using the texts that are kept with the members of an object: `{"customer":…}`. */
export function jsonTextOfMembers(value: object): string {
  const text = known.get(value)
  if (text !== undefined) return text
  const members = Object.entries(value)
  if (Array.isArray(value) || !members.some(([, member]) => isObject(member) && known.has(member))) {
    return JSON.stringify(value)
  }
  const texts = members
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonTextOf(member)}`)
  return `{${texts.join(',')}}`
}
