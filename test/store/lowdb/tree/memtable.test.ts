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

  it('finds what documents have now, and forgets what those had that are gone', () => {
    const table = new Memtable(() => 7)
    const entry = (id: string, version: number, email: string): Entry =>
      Entry.of(
        {
          ...{kind: 'people', id, expect: version - 1, version},
          uniqueKeys: [{key: `email:${email}`}, {key: 'group', shared: true}],
          facets: [email, 'all'],
        },
        '{}',
      )
    const gone = (id: string): Entry =>
      Entry.of({kind: 'people', id, expect: 1, version: 0, uniqueKeys: [], facets: []}, undefined)
    for (let at = 0; at < 600; at += 1) table.put(entry(`p${at}`, 1, `a${at}`), true)
    table.put(entry('p7', 2, 'b'), true)
    table.put(entry('p7', 3, 'a7'), true)
    table.put(entry('p8', 2, 'c'), true)
    const ids = (found: Iterable<Entry | undefined>): (string | undefined)[] => [...found].map((one) => one?.id)
    expect(ids(table.withUniqueKey('email:a7'))).to.deep.equal(['p7'])
    expect(ids(table.withUniqueKey('email:b'))).to.deep.equal([])
    expect(ids(table.withUniqueKey('email:a8'))).to.deep.equal([])
    expect(ids(table.withUniqueKey('email:c'))).to.deep.equal(['p8'])
    expect(ids(table.faceted(0, new Set(['a7', 'c'])).entries())).to.deep.equal(['p7', 'p8'])
    expect(table.withUniqueKey('group')).to.have.lengthOf(600)
    for (let at = 0; at < 20_000; at += 1) {
      table.put(entry(`t${at}`, 1, `t${at}`), true)
      table.put(gone(`t${at}`), true)
    }
    expect(table.faceted(1, new Set(['all'])).count).to.be.within(600, 2_500)
    expect(ids(table.withUniqueKey('email:t19999'))).to.deep.equal([])
    expect(ids(table.withUniqueKey('email:a9'))).to.deep.equal(['p9'])
  })
})
