import {expect} from 'chai'
import fc from 'fast-check'
import {ApiError} from '../../src/domain/errors.js'
import {pieceBytes, piecesOf, replyBody} from '../../src/server/reply-body.js'
import {limits} from '../../src/work/limits.js'

const textOf = async (body: unknown): Promise<string | undefined> => {
  const made = await replyBody(body)
  if (!made) return undefined
  const bytes = Buffer.from([...piecesOf(made)].join(''), 'latin1')
  expect(bytes.length).to.equal(made.length)
  return bytes.toString()
}

describe('server · reply body', () => {
  it('is the JSON of the body, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await textOf(value)).to.equal(JSON.stringify(value))
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.jsonValue(), async (results, total) => {
        for (const body of [
          {total, results},
          {results, total},
        ]) {
          expect(await textOf(body)).to.equal(JSON.stringify(body))
        }
      }),
    )
    expect(await textOf(undefined)).to.equal(undefined)
  })

  it('comes in pieces that are made when they are drawn, up to the limit', async () => {
    const long = 'x'.repeat(1_000_000)
    const page = (count: number) => ({limit: 500, results: Array.from({length: count}, () => long)})
    const made = await replyBody(page(3))
    const pieces = [...piecesOf(made ?? {parts: [], length: 0})]
    expect(pieces.every(({length}) => length <= pieceBytes)).to.equal(true)
    expect(pieces.join('')).to.equal(JSON.stringify(page(3)))
    const most = Math.floor(limits.replyBytes / (long.length + 3))
    expect((await replyBody(page(most)))?.length).to.be.at.most(limits.replyBytes)
    // An answer that is not refused is too large to be shown.
    const answer = await (async () => replyBody(page(most + 1)))().catch((error: unknown) => error)
    const refused = answer instanceof ApiError ? answer : 'sent'
    expect(refused).to.be.instanceOf(ApiError)
    expect(refused).to.include({statusCode: 400, code: 'InvalidInput'})
  })

  it('is claimed as it grows, and made no further than its claim is granted', async () => {
    let drawn = 0
    const element = () => ({
      get text() {
        drawn += 1
        return 'x'.repeat(100_000)
      },
    })
    const results = Array.from({length: 50}, element)
    const claims: number[] = []
    const making = (most: number) => ({
      claim: (bytes: number) => {
        claims.push(bytes)
        if (bytes > most) throw ApiError.of('OverCapacity', {message: 'full'})
      },
      enlarge: () => undefined,
      isGone: () => false,
    })
    const made = await replyBody({results}, making(Number.POSITIVE_INFINITY))
    expect(claims.length).to.be.greaterThan(40)
    expect(claims.at(-1)).to.be.within(5_000_000, made?.length ?? 0)
    drawn = 0
    const ended = await (async () => replyBody({results}, making(1_000_000)))().catch((error: unknown) => error)
    expect(ended).to.include({code: 'OverCapacity'})
    expect(drawn).to.be.lessThan(30)
  })
})
