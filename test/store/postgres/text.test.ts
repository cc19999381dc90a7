import {expect} from 'chai'
import fc from 'fast-check'
import {compareText} from '../../../src/query/text-order.js'
import {fromStored, restored, storable, toStored} from '../../../src/store/postgres/schema/text-form.js'

/** Code units around everything that the stored form treats on its own. */
const units = [
  0, 1, 2, 3, 0x61, 0xff, 0x100, 0x101, 0x4ff, 0xd7ff, 0xd800, 0xd801, 0xd83c, 0xd83d, 0xd83e, 0xdbfe, 0xdbff, 0xdc00,
  0xdc01, 0xdffe, 0xdfff, 0xe000, 0xfdcf, 0xfdd0, 0xfdd1, 0xfffe, 0xffff,
]
const texts = fc.array(fc.oneof(fc.constantFrom(...units), fc.integer({min: 0, max: 0xffff})), {maxLength: 5})
const text = texts.map((codes) => String.fromCharCode(...codes))

/** As the C collation of PostgreSQL compares. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('store · text in PostgreSQL', () => {
  it('is text that PostgreSQL can hold, and comes back', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) check(String.fromCharCode(unit))
    for (let high = 0xd800; high < 0xdc00; high += 1) {
      for (const low of [0xdc00, 0xdc01, 0xdfff]) check(String.fromCharCode(high, low))
    }
    fc.assert(
      fc.property(text, (one) => {
        check(one)
        expect(fromStored(toStored({[one]: [one, {a: one}]}))).to.deep.equal({[one]: [one, {a: one}]})
      }),
      {numRuns: 2_000},
    )
  })

  it('has the order of texts everywhere else', () => {
    const pairs = units.flatMap((a) => [String.fromCharCode(a), ...units.map((b) => String.fromCharCode(a, b))])
    for (const a of pairs) {
      for (const b of pairs) {
        if (Math.sign(byBytes(storable(a), storable(b))) !== Math.sign(compareText(a, b))) {
          expect.fail(`${JSON.stringify(a)} and ${JSON.stringify(b)} change places`)
        }
      }
    }
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(byBytes(storable(a), storable(b)))).to.equal(Math.sign(compareText(a, b)))
      }),
      {numRuns: 5_000},
    )
  })

  function check(one: string): void {
    const form = storable(one)
    if (!form.isWellFormed() || form.includes('\0') || restored(form) !== one) {
      expect.fail(`${JSON.stringify(one)} is stored as ${JSON.stringify(form)}`)
    }
  }
})
