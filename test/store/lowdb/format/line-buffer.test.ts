import {expect} from 'chai'
import fc from 'fast-check'
import {LineBuffer} from '../../../../src/store/lowdb/format/line-buffer.js'
import {type Operation, parsedLine, withChecksum} from '../../../../src/store/lowdb/format/record.js'

const text = fc.oneof(fc.string(), fc.string({unit: 'grapheme'}))
const body = fc.option(
  fc.record({name: text, more: fc.jsonValue()}).map((value) => JSON.stringify(value)),
  {nil: undefined},
)
const operation = fc
  .record({kind: text, id: text, key: text, shared: fc.boolean(), facets: fc.array(fc.option(text)), body})
  .map(({kind, id, key, shared, facets, body}): Operation => {
    const uniqueKeys = [shared ? ({key, shared} as const) : {key}]
    return {kind, id, expect: 1, version: 2, uniqueKeys, facets, ...(body === undefined ? {} : {body})}
  })

describe('journal lines', () => {
  it('are written as one record each, however long they become, and read back', () => {
    const lines = new LineBuffer()
    const long = {...fc.sample(operation, 1)[0], body: JSON.stringify('ü'.repeat(50_000))} as Operation
    fc.assert(
      fc.property(fc.array(fc.array(operation, {maxLength: 3}), {maxLength: 4}), fc.boolean(), (commits, isLong) => {
        const all = isLong ? [...commits, [long], ...commits] : commits
        lines.clear()
        for (const [at, operations] of all.entries()) lines.add({sequence: at + 1, durable: at, operations})
        expect(lines.bytes).to.have.lengthOf(lines.length)
        const read = lines.bytes.toString().split('\n').slice(0, -1)
        expect(read).to.have.lengthOf(all.length)
        for (const [at, line] of read.entries()) {
          expect(line).to.equal(withChecksum(line.replace(/,"x":"[0-9a-f]{8}"}$/, '}')))
          const operations = (all[at] ?? []).map(({body, ...head}) =>
            body ? {...head, body: Buffer.from(body)} : head,
          )
          expect(parsedLine(Buffer.from(line))).to.deep.equal({sequence: at + 1, durable: at, operations})
        }
      }),
    )
  })
})
