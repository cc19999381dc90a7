import type {IncomingMessage} from 'node:http'
import {Readable} from 'node:stream'
import {expect} from 'chai'
import {bodyReader, drained} from '../../../src/server/http/request-body.js'

describe('security · S large bodies that come at once', () => {
  const pieceBytes = 65_536
  const pieces = 10
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const body = (headers: object): IncomingMessage =>
    Object.assign(Readable.from(Array.from({length: pieces}, () => Buffer.alloc(pieceBytes))), {
      headers,
      complete: true,
    }) as unknown as IncomingMessage

  for (const [what, headers] of Object.entries({
    'of a length that is told': {'content-length': String(pieceBytes * pieces)},
    'in chunks': {'transfer-encoding': 'chunked'},
  })) {
    it(`S-301 are read piece by piece, one a turn, and made one when they have a place: ${what}`, async () => {
      let claims = 0
      let enter = (): void => undefined
      const place = new Promise<void>((resolve) => {
        enter = resolve
      })
      const claim = () => {
        claims += 1
      }
      const large = {claim, enlarge: () => place}
      const read = Array.from({length: 8}, () => bodyReader(body(headers), 2 ** 20, large)())
      const perTurn: number[] = []
      while (claims < 8 * (pieces - 1)) {
        const before = claims
        await turn()
        perTurn.push(claims - before)
      }
      // The first pieces have come before anybody waits.
      expect(Math.max(...perTurn.slice(2))).to.equal(1)
      enter()
      for (const bytes of await Promise.all(read)) expect(bytes.length).to.equal(pieceBytes * pieces)
    })
  }

  it('S-301 are read away piece by piece, one a turn, where they are refused', async () => {
    let read = 0
    const refused = Array.from({length: 8}, () => {
      const request = Object.assign(body({'transfer-encoding': 'chunked'}), {complete: false})
      const end = drained(request)
      request.on('data', () => {
        read += 1
      })
      return end
    })
    const perTurn: number[] = []
    while (read < 8 * pieces) {
      const before = read
      await turn()
      perTurn.push(read - before)
    }
    expect(Math.max(...perTurn.slice(3))).to.equal(1)
    await Promise.all(refused)
  })
})
