import {appendFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {expect} from 'chai'
import type {CheckedRow} from '../../../src/transfer/check/checked-rows.js'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {RowStream} from '../../../src/transfer/run/row-stream.js'
import {failureOf, inOne, scratch} from '../scratch.js'

const header = 'key,email,firstName,addresses.0.country,addresses.0.city'
const lineOf = (at: number): string => `k${at},k${at}@x.de,Anna,DE,Bonn`
const csv = (rows: number): string => `${[header, ...Array.from({length: rows}, (_, at) => lineOf(at))].join('\n')}\n`
const documents = (rows: number) =>
  Array.from({length: rows}, (_, at) => ({
    key: `k${at}`,
    email: `k${at}@x.de`,
    firstName: 'Anna',
    addresses: [{country: 'DE', city: 'Bonn'}],
  }))

/** What of a row tells what becomes of it. */
const told = ({number, place, draft, issues, leftOut}: CheckedRow) => ({number, place, draft, issues, leftOut})

describe('transfer · rows of a run', () => {
  const files = scratch()

  async function opened(name: string, content: string | Uint8Array) {
    const sources = await files.source(name, content)
    const plan = {match: 'key', mode: 'upsert', passwordMode: 'external-auth', onNewer: 'keep'} as const
    const stream = new RowStream(sources, {}, {plan, seed: 7, today: '2026-11-24', keepsHashes: async () => true})
    return {stream, path: sources[0]?.path ?? ''}
  }
  const read = async (stream: RowStream) => inOne((await stream.check()).pieces)

  for (const [name, content] of [
    ['a.csv', csv(300)],
    [
      'a.jsonl',
      documents(300)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    ],
    ['a.json', JSON.stringify(documents(300))],
  ] as const) {
    it(`are kept of a small file, and read again of any other: ${name}`, async () => {
      const {stream} = await opened(name, content)
      const first = await read(stream)
      expect(first).to.have.length(300)
      stream.areValid = true
      const second = await read(stream)
      expect(second.every((row, at) => row === first[at])).to.equal(true)
      // Whoever asks once more is not left without.
      expect((await read(stream)).map(told)).to.deep.equal(first.map(told))

      const packed = (await opened(`${name}.gz`, gzipSync(content))).stream
      const checked = await read(packed)
      packed.areValid = true
      const again = await read(packed)
      expect(again[0]).not.to.equal(checked[0])
      expect(again.map(told)).to.deep.equal(checked.map(told))
      expect(again.map(({draft}) => draft)).to.deep.equal(first.map(({draft}) => draft))
    })
  }

  it('are not kept when they are many, or when somebody stopped before the last', async () => {
    const {stream} = await opened('many.csv', csv(16_385))
    const first = await read(stream)
    const second = await read(stream)
    expect(second).to.have.length(16_385)
    expect(second[0]).not.to.equal(first[0])
    expect(second.at(-1)?.draft).to.deep.equal(first.at(-1)?.draft)

    const {stream: stopped} = await opened('few.csv', csv(300))
    for await (const piece of (await stopped.check()).pieces) if (piece.length > 0) break
    expect(await read(stopped)).to.have.length(300)
  })

  it('are those that were checked, or the file is refused', async () => {
    for (const name of ['a.csv', 'a.csv.gz']) {
      const {stream, path} = await opened(name, name === 'a.csv' ? csv(30) : gzipSync(csv(30)))
      await read(stream)
      appendFileSync(path, name === 'a.csv' ? `${lineOf(30)}\n` : gzipSync(`${lineOf(30)}\n`))
      const failure = await failureOf(read(stream))
      expect(failure).to.be.instanceOf(InputError)
      expect(failure.message).to.contain('was changed')
    }
  })
})
