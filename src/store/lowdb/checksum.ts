import {crc32} from 'node:zlib'

const suffixLength = ',"x":"00000000"}'.length

const hex = (sum: number): string => sum.toString(16).padStart(8, '0')

export const checksumOf = (bytes: Uint8Array | string, start = 0): number => crc32(bytes, start)

/** Adds the checksum of its UTF-8 bytes to the text of a JSON object, as last member `x`. */
export function sealed(json: string): string {
  const open = json.slice(0, -1)
  return `${open},"x":"${hex(crc32(open))}"}`
}

/** Whether the bytes are what `sealed` made. */
export function isSealed(bytes: Uint8Array): boolean {
  const length = bytes.length - suffixLength
  if (length < 1) return false
  const suffix = Buffer.from(bytes.buffer, bytes.byteOffset + length, suffixLength).toString('latin1')
  return suffix === `,"x":"${hex(crc32(bytes.subarray(0, length)))}"}`
}
