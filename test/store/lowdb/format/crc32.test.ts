import {randomBytes} from 'node:crypto'
import {crc32 as zlibCrc32} from 'node:zlib'
import {expect} from 'chai'
import {crc32, crc32ByTable} from '../../../../src/store/lowdb/format/crc32.js'

describe('store · CRC-32', () => {
  it("is zlib's for bytes of every length, at every place in memory, and going on from a sum", () => {
    const memory = randomBytes(500)
    for (let from = 0; from < 4; from += 1) {
      for (let length = 1; length < 400; length += length < 90 ? 1 : 37) {
        const bytes = memory.subarray(from, from + length)
        const start = memory.readUInt32LE(length % 90)
        expect(crc32ByTable(bytes, 0), `${from} ${bytes.toString('hex')}`).to.equal(zlibCrc32(bytes, 0))
        expect(crc32ByTable(bytes, start), `${from} ${bytes.toString('hex')}`).to.equal(zlibCrc32(bytes, start))
      }
    }
    expect(crc32ByTable(Buffer.alloc(0), 0)).to.equal(0)
  })

  it('is of the UTF-8 bytes of a text, by either way of summing', () => {
    const text = 'žluťoučký 🐎 '.repeat(500)
    for (let bytes = 0; bytes < 200_000; bytes += text.length) expect(crc32(text)).to.equal(zlibCrc32(text))
  })
})
