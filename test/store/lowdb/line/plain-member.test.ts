import {expect} from 'chai'
import fc from 'fast-check'
import {plainMember} from '../../../../src/store/lowdb/line/unparsed.js'

const name = fc.constantFrom('a', 'b', 'at', '"', '\\', 'ü', '}')
const text = fc.oneof(fc.string(), fc.string({unit: fc.constantFrom('"', '\\', '{', ']', ',', 'ü', '\n', 'a')}))
const {value} = fc.letrec<{value: unknown}>((tie) => ({
  value: fc.oneof(
    {maxDepth: 3},
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(name, tie('value'), {maxKeys: 3}),
  ),
}))

describe('store · a member of a document that is not parsed', () => {
  it('is what the document has there, if that is text in plain ASCII', () => {
    let found = 0
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.oneof(text, value), {maxKeys: 5}),
        fc.constantFrom('a', 'b', 'at'),
        (document, member) => {
          const own = Object.hasOwn(document, member) ? document[member] : undefined
          // JSON escapes quotes, backslashes and controls.
          const isPlain = typeof own === 'string' && /^[ -~\x7f]*$/.test(own) && !/["\\]/.test(own)
          const json = Buffer.from(JSON.stringify(document)).toString('latin1')
          expect(plainMember(json, member)).to.equal(isPlain ? own : undefined)
          found += Number(isPlain)
        },
      ),
      {numRuns: 2_000},
    )
    expect(found).to.be.greaterThan(100)
  })

  it('is none in what is no whole document', () => {
    for (const json of ['', '{', '{}', '{"a', '{"a"', '{"a":', '{"b":{"c":[', '{"b":"x', '{"b":"\\', 'null'])
      expect(plainMember(json, 'a'), json).to.be.oneOf([undefined, ''])
  })
})
