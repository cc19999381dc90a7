import {maxRowBytes} from './row.js'

const [lineFeed, carriageReturn, quote] = [0x0a, 0x0d, 0x22]

type State = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * The line, from 1, of the first quote in a table that is closed wrongly or not at all. Parsers name the line on which
 * they stopped, and that is the last one of the file if the quote is never closed.
 */
export async function openQuoteLine(chunks: AsyncIterable<Buffer>, delimiter: string): Promise<number | undefined> {
  const separator = delimiter.charCodeAt(0)
  const ends = (byte: number): boolean => byte === separator || byte === lineFeed || byte === carriageReturn
  let state: State = 'start'
  let [line, openedAt, rowBytes] = [1, 0, 0]
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      rowBytes += 1
      if (state === 'quoted') {
        if (rowBytes > maxRowBytes) return openedAt
        if (byte === quote) state = 'closed'
      } else if (byte === quote && state !== 'plain') {
        // A quote right after a closing one makes both a quote within the cell.
        if (state === 'start') openedAt = line
        state = 'quoted'
      } else if (ends(byte)) {
        state = 'start'
        if (byte !== separator) rowBytes = 0
      } else {
        if (state === 'closed') return openedAt
        state = 'plain'
      }
      if (byte === lineFeed) line += 1
    }
  }
  return state === 'quoted' ? openedAt : undefined
}
