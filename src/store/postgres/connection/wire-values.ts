/** Values as the database's protocol carries them. */

/** A value in the form of text, which suits every type; a Buffer is in the binary form of its type. */
export function encoded(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(quoted).join(',')}}`
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  throw new TypeError(`${typeof value} is not a value of a statement`)
}

const quoted = (element: unknown): string =>
  element === null ? 'NULL' : `"${String(element).replace(/["\\]/g, '\\$&')}"`

/** The element type of `text[]`. */
const textType = 25
const emptyBytes = 12
const headerBytes = 20

/** A `text[]` in its binary form: nothing in it has to be quoted, nor read character by character. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  let bytes = texts.length === 0 ? emptyBytes : headerBytes
  for (const text of texts) bytes += 4 + (text === null ? 0 : Buffer.byteLength(text))
  const buffer = Buffer.allocUnsafe(bytes)
  buffer.writeInt32BE(Math.min(1, texts.length), 0)
  buffer.writeInt32BE(texts.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(textType, 8)
  if (texts.length === 0) return buffer
  buffer.writeInt32BE(texts.length, 12)
  // The number of the first element.
  buffer.writeInt32BE(1, 16)
  let at = headerBytes
  for (const text of texts) {
    const length = text === null ? -1 : buffer.write(text, at + 4)
    buffer.writeInt32BE(length, at)
    at += 4 + Math.max(0, length)
  }
  return buffer
}

/** Maximum size of the rows in one statement. */
const maxCharacters = 16 << 20

/** Rows of texts as a `text[]` for each column, in parts of a size that a statement can carry. */
export function* inColumns(rows: readonly (readonly (string | null)[])[]): Generator<Buffer[]> {
  const columns = (part: typeof rows) => (part[0] ?? []).map((_, at) => textArray(part.map((row) => row[at] ?? null)))
  let from = 0
  let length = 0
  for (const [at, row] of rows.entries()) {
    const own = row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    if (at > from && length + own > maxCharacters) {
      yield columns(rows.slice(from, at))
      from = at
      length = 0
    }
    length += own
  }
  if (rows.length > from) yield columns(rows.slice(from))
}
