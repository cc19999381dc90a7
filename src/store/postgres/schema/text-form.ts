import {JsonText, jsonTextOf, withJsonText} from '../../../domain/json-text.js'
import {BoundedMap} from '../../../work/bounded-map.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document} from '../../store.js'

/**
 * PostgreSQL's text and jsonb hold neither U+0000 nor halves of surrogate pairs, both of which JSON can carry. Both are
 * stored as a character beside which they belong in the order of texts and a small one that says which of the two is
 * meant; so are the few characters that serve for this. The order of what is stored is therefore that of `compareText`.
 *
 * | Text | Stored |
 * | --- | --- |
 * | U+0000, U+0001 | U+0001 U+0001, U+0001 U+0002 |
 * | half H of a pair, its first character C (H U+DC00) | C U+0001, C U+0002 |
 * | U+10FFFF, second half L of a pair | U+10FFFF U+0001, U+10FFFF U+0002 and the character U+0100 + L - U+DC00 |
 */

const one = '\u0001'
const two = '\u0002'
const last = '\u{10ffff}'
const firstLow = 0xdc00
const firstOffset = 0x100

/** Matches code units, since it lacks the flag `u`: halves of surrogate pairs match too. */
const special =
  /[\0\u0001]|\udbff\udfff|[\ud800-\udbff](?:\udc00|(?![\udc00-\udfff]))|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const stored =
  /\u0001([\u0001\u0002])|\udbff\udfff(?:\u0001|\u0002([\u0100-\u04ff]))|([\ud800-\udbff])\udc00([\u0001\u0002])/g

/** In the text of JSON, where all but whole pairs is escaped. A backslash before the escape is looked at too. */
const suspicious = /\\u(000[01]|d[89a-f])|[\ud800-\udbff]\udc00|\udbff\udfff/
/** In the text of JSON, where whatever `storable` has changed contains one of the small characters. */
const changed = /\\u000[12]/

function storedOf(found: string): string {
  if (found === '\0') return one + one
  if (found === one) return one + two
  if (found === last) return last + one
  if (found.length === 2) return found + two
  const unit = found.charCodeAt(0)
  if (unit < firstLow) return `${found}\udc00${one}`
  return last + two + String.fromCharCode(unit - firstLow + firstOffset)
}

/** Whatever `special` matches has one of these, and they are faster to look for. */
const rare = /[\0\u0001\ud800-\udfff]/

/** Text as the database can hold it. */
export const storable = (text: string): string => (rare.test(text) ? text.replace(special, storedOf) : text)

/** The inverse of `storable`. */
export const restored = (text: string): string =>
  text.includes(one) || text.includes(two)
    ? text.replace(stored, (_, control?: string, low?: string, high?: string, which?: string) => {
        if (control !== undefined) return control === one ? '\0' : one
        if (low !== undefined) return String.fromCharCode(low.charCodeAt(0) - firstOffset + firstLow)
        if (high !== undefined) return which === one ? high : `${high}\udc00`
        return last
      })
    : text

/** Plain data with all its texts, and names of members, mapped. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, map))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [map(name), mapTexts(member, map)]))
}

/** A value as JSON that the database can hold; `text`: its JSON, where it is made already. */
export function toStored(value: unknown, text = jsonTextOf(value)): string {
  return suspicious.test(text) ? JSON.stringify(mapTexts(JSON.parse(text), storable)) : text
}

/** Reads what `toStored` wrote. */
export function fromStored(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return changed.test(text) ? mapTexts(value, restored) : value
}

/** Whether a text of the column is what was committed: neither mapped, nor in the form of jsonb. */
const isAsWritten = (text: string): boolean => !changed.test(text) && !/^\{"[^"\\]*": /.test(text)

/** Plain data that speaks of stored documents, such as a predicate, in terms of what is stored. */
export const inStoredTerms = <T>(value: T): T =>
  suspicious.test(JSON.stringify(value)) ? (mapTexts(value, storable) as T) : value

/** Characters of the longest document that is kept by its text; longer ones are parsed each time. */
const longest = 1 << 14

const kept = new BoundedMap<string, Document>(1_000)

/**
 * A document as the port hands it out, from a column. The same text is the same document, which need not be parsed again:
 * the text was read just now, so nothing is ever older than what the database says.
 */
export function frozenDocument<D extends Document>(column: string): D {
  const known = kept.get(column)
  if (known) return known as D
  const parsed = frozen(fromStored(column) as D)
  const document = isAsWritten(column) ? withJsonText(parsed, column) : parsed
  if (column.length <= longest) kept.set(column, document)
  return document
}

/** The JSON of a document from a column, which is not parsed if it is what was written. */
export const storedText = (column: string): JsonText =>
  JsonText.of(isAsWritten(column) ? column : JSON.stringify(fromStored(column)))
