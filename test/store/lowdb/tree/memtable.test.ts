import {expect} from 'chai'
import {Entry} from '../../../../src/store/lowdb/line/entry.js'
import {Memtable} from '../../../../src/store/lowdb/tree/memtable.js'

describe('store · the memtable', () => {
  it('finds the documents of one value, more of them than a call of V8 takes arguments', () => {
    const table = new Memtable(() => 7)
    const count = 130_000
    for (let at = 0; at < count; at += 1) {
      const head = {kind: 'message', id: `m${at}`, expect: 0, version: 1, uniqueKeys: [], facets: ['2026-11-27']}
      table.put(Entry.of(head, '{}'), true)
    }
    const found = table.faceted(0, new Set(['2026-11-27', 'none']))
    expect(found.count).to.equal(count)
    const [first] = found.entries()
    expect(first).to.include({id: 'm0'})
  })
})
