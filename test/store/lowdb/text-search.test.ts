import {expect} from 'chai'
import fc from 'fast-check'
import {satisfies} from '../../../src/store/adapter/ranking.js'
import {TextSearch} from '../../../src/store/lowdb/table/text-search.js'
import type {Contains} from '../../../src/store/searchable.js'

interface Written {
  readonly id: string
  readonly text: string
}

const recordOf = ({id, text}: Written): Buffer =>
  Buffer.concat([
    Buffer.from(id),
    Buffer.from(/^[\x00-\x7f]*$/.test(text) ? [0xfe] : [0xfe, 0xfd]),
    Buffer.from(text),
    Buffer.from([0xff]),
  ])

const placesIn = (text: string, needle: string): number[] =>
  Array.from(text, (_, at) => at).filter((at) => text.startsWith(needle, at))

const word = fc.constantFrom('an', 'ana', 'anna', 'b', 'юля', 'мария', 'e\u0301')
const line = fc.array(word, {maxLength: 6}).map((words) => `\nB ${words.join(' ')}`)
const text = fc.oneof(
  {weight: 20, arbitrary: fc.array(line, {maxLength: 4}).map((lines) => `000000000${lines.join('')}`)},
  // Of a few in a chunk, longer than what needles are looked for in, and longer than a chunk.
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(10_000, 10_000, 10_000, 10_000, 20_000, 70_000)
      .map((length) => `000000000\nB ${'an b '.repeat(length / 5)}`),
  },
)
const id = fc.oneof(
  fc.uuid(),
  fc.integer({min: 1, max: 40}).map((length) => 'x'.repeat(length)),
  fc.constantFrom('an', ' an', 'юля'),
)
const piece = fc.constantFrom('', ' an', ' b', 'nn', ' юля', '\nB an', 'я', ' zz', '0')
const contains: fc.Arbitrary<Contains> = fc.letrec<{contains: Contains}>((tie) => {
  const list = fc.array(tie('contains'), {minLength: 1, maxLength: 3})
  return {contains: fc.oneof({depthSize: 'small'}, piece, fc.record({all: list}), fc.record({any: list}))}
}).contains

describe('store · search of a text column', () => {
  it('visits what has what is asked, once and in order, and tells where needles stand', async () => {
    let known = 0
    const written = fc.uniqueArray(fc.record({id, text}), {maxLength: 60, size: 'max', selector: (one) => one.id})
    await fc.assert(
      fc.asyncProperty(written, fc.oneof(fc.constantFrom(' an', ' b'), contains), async (records, asked) => {
        const documents = new Map(records.map((one) => [one.id, {doc: {...one, version: 1}}]))
        const search = new TextSearch(Buffer.concat(records.map(recordOf)), documents, asked)
        const visited: Written[] = []
        const visit: Parameters<TextSearch['run']>[0] = (candidate) => {
          const found = {id: candidate.id, text: candidate.text()}
          for (const needle of ['', ' an', ' b', 'nn', ' юля', 'я', ' b', ' an', ' an']) {
            const places = candidate.placesOf?.(needle)
            if (places) expect(places, needle).to.deep.equal(placesIn(found.text, needle))
            known += Number(places !== undefined && places.length > 0)
          }
          expect(candidate.document()).to.equal(documents.get(found.id)?.doc)
          visited.push(found)
        }
        await search.run(visit, () => undefined)
        expect(visited.filter((one) => satisfies(one.text, asked))).to.deep.equal(
          records.filter((one) => satisfies(one.text, asked)),
        )
        expect(visited).to.deep.equal(records.filter((one) => visited.some(({id}) => id === one.id)))
        for (const one of visited) expect(satisfies(one.text, asked)).to.equal(true)
      }),
      {numRuns: 300},
    )
    expect(known).to.be.greaterThan(100)
  })

  it('tells where a needle stands in each chunk anew', async () => {
    const filler = {id: 'filler', text: `000000000\nB ${'b'.repeat(9_000)}`}
    const chunk = (text: string) => [{id: 'one', text}, ...Array.from({length: 8}, () => filler)]
    const texts = ['000000000\nB an b', '000000000\nB b an']
    const search = new TextSearch(Buffer.concat(texts.flatMap(chunk).map(recordOf)), new Map(), ' an')
    const told: unknown[] = []
    await search.run(
      (candidate) => told.push(candidate.placesOf?.(' an')) > 0,
      () => undefined,
    )
    expect(told).to.deep.equal(texts.map((text) => placesIn(text, ' an')))
  })

  it('looks at the clock before each chunk, whatever is found', async () => {
    const record = recordOf({id: 'one', text: `000000000\nB ${'b'.repeat(900)}`})
    const search = new TextSearch(Buffer.concat(Array.from({length: 1_000}, () => record)), new Map(), ' zz')
    let looks = 0
    await search.run(
      () => true,
      () => {
        looks += 1
        return undefined
      },
    )
    expect(looks).to.equal(Math.ceil((1_000 * record.length) / (64 << 10)))
  })
})
