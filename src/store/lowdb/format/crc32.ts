import {endianness} from 'node:os'
import {crc32 as zlibCrc32} from 'node:zlib'

/**
 * CRC-32 as zlib has it. Node takes 2 to 5 milliseconds to load its compression library, so a process sums by tables what a
 * command reads that looks something up. Node 20 would optimize that loop in the background, which takes longer than the
 * library. Words are read with their lowest byte first.
 */

const canSum = endianness() === 'LE' && Number.parseInt(process.versions.node, 10) >= 22
let bytesLeft = canSum ? 64 * 1024 : 0

type Tables = readonly [Int32Array, Int32Array, Int32Array, Int32Array]

/** What each value of a byte adds to the sum, by how many bytes follow it in a word of four. */
let tables: Tables | undefined

function tablesOf(): Tables {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let sum = byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
    first[byte] = sum
  }
  const shifted = (table: Int32Array) => table.map((sum) => (sum >>> 8) ^ (first[sum & 255] as number))
  const second = shifted(first)
  const third = shifted(second)
  return [first, second, third, shifted(third)]
}

/** The sum of bytes, going on from that of what came before. */
export function crc32ByTable(content: Uint8Array, start: number): number {
  tables ??= tablesOf()
  const [t0, t1, t2, t3] = tables
  // Words lie at multiples of four.
  const bytes = content.byteOffset % 4 === 0 ? content : Uint8Array.from(content)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, (bytes.length >>> 4) * 4)
  let sum = ~start
  // Every index into a table is below 256. Four words a turn: V8 optimizes a function later the longer it is.
  for (let at = 0; at < words.length; at += 4) {
    sum ^= words[at] as number
    sum =
      (t3[sum & 255] as number) ^
      (t2[(sum >>> 8) & 255] as number) ^
      (t1[(sum >>> 16) & 255] as number) ^
      (t0[sum >>> 24] as number)
    sum ^= words[at + 1] as number
    sum =
      (t3[sum & 255] as number) ^
      (t2[(sum >>> 8) & 255] as number) ^
      (t1[(sum >>> 16) & 255] as number) ^
      (t0[sum >>> 24] as number)
    sum ^= words[at + 2] as number
    sum =
      (t3[sum & 255] as number) ^
      (t2[(sum >>> 8) & 255] as number) ^
      (t1[(sum >>> 16) & 255] as number) ^
      (t0[sum >>> 24] as number)
    sum ^= words[at + 3] as number
    sum =
      (t3[sum & 255] as number) ^
      (t2[(sum >>> 8) & 255] as number) ^
      (t1[(sum >>> 16) & 255] as number) ^
      (t0[sum >>> 24] as number)
  }
  for (let at = words.byteLength; at < bytes.length; at += 1) {
    sum = (sum >>> 8) ^ (t0[(sum ^ (bytes[at] as number)) & 255] as number)
  }
  return ~sum >>> 0
}

/** Of bytes, or of the UTF-8 bytes of a text, going on from the sum of what came before. */
export function crc32(content: Uint8Array | string, start = 0): number {
  if (bytesLeft <= content.length) return zlibCrc32(content, start)
  bytesLeft -= content.length
  return crc32ByTable(typeof content === 'string' ? Buffer.from(content) : content, start)
}
