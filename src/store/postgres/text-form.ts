/**
 * PostgreSQL's text and jsonb hold neither U+0000 nor halves of surrogate pairs, both of which JSON can carry. They
 * are stored as the noncharacter U+FDD0 and four hexadecimal digits; so is that character itself.
 */

const mark = '\ufdd0'
const unstorable = /[\0\ufdd0]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
/** In the text of JSON, where all but the mark are escaped. A backslash before the escape is looked at too. */
const suspicious = /\\u(0000|d[89a-f])|\ufdd0/
const marked = /\ufdd0([0-9a-f]{4})/g

/** Text as the database can hold it. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') && !text.includes(mark)
    ? text
    : text.replace(unstorable, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'))

/** The inverse of `storable`. */
export const restored = (text: string): string =>
  text.includes(mark)
    ? text.replace(marked, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, map))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [map(name), mapTexts(member, map)]))
}

/** A value as JSON that the database can hold. */
export function toStored(value: unknown): string {
  const text = JSON.stringify(value)
  return suspicious.test(text) ? JSON.stringify(mapTexts(JSON.parse(text), storable)) : text
}

/** Reads what `toStored` wrote. */
export function fromStored(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return text.includes(mark) ? mapTexts(value, restored) : value
}

/** Plain data that speaks of stored documents, such as a predicate, in terms of what is stored. */
export const inStoredTerms = <T>(value: T): T =>
  suspicious.test(JSON.stringify(value)) ? (mapTexts(value, storable) as T) : value
