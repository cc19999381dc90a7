import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../../../src/domain/json-text.js'
import {linesOf} from '../../../../src/store/lowdb/file/checksum.js'
import type {Files} from '../../../../src/store/lowdb/file/files.js'
import {Entry} from '../../../../src/store/lowdb/line/entry.js'
import type {Head} from '../../../../src/store/lowdb/line/head.js'
import {commitRecords, replay} from '../../../../src/store/lowdb/line/replay.js'
import {journalLines, mergedLine} from '../../../../src/store/lowdb/merge/segment-source.js'

const text = fc.oneof(fc.string(), fc.string({unit: 'grapheme'}))
const change = fc.record({
  kind: text,
  id: text,
  keys: fc.array(fc.record({key: text, shared: fc.boolean()}), {maxLength: 2}),
  facets: fc.array(fc.option(text)),
  doc: fc.option(fc.record({name: text, more: fc.jsonValue()})),
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const headOf = ({kind, id, keys, facets, doc}: Change): Head => ({
  kind,
  id,
  version: doc ? 2 : 0,
  expect: 1,
  uniqueKeys: keys.map(({key, shared}) => (shared ? {key, shared} : {key})),
  facets,
})

const entryOf = (one: Change): Entry =>
  Entry.of(headOf(one), one.doc ? JsonText.of(JSON.stringify(one.doc)) : undefined)

describe('lines of commits', () => {
  it('are read back as they were written, however long they become', () => {
    const long: Change = {...(fc.sample(change, 1)[0] as Change), doc: {name: 'ü'.repeat(150_000), more: 1}}
    fc.assert(
      fc.property(fc.array(fc.array(change, {maxLength: 3}), {maxLength: 4}), fc.boolean(), (commits, isLong) => {
        const all = isLong ? [...commits, [long], ...commits] : commits
        const bytes = linesOf(all.flatMap((changes, at) => commitRecords(at + 1, at, changes.map(entryOf))))
        const read: Files['read'] = (_fd, buffer, offset, length, position) =>
          bytes.copy(buffer, offset, position, position + length)
        const found: Entry[][] = []
        const journal = {path: '', first: 1, fd: 0, size: bytes.length}
        const end = replay({read} as Files, journal, Entry.ofVerified, (entries) => found.push([...entries]))
        const lines: object[] = []
        replay({read} as Files, journal, journalLines(), (ofCommit) => {
          for (const {kind, id, version, line, head} of ofCommit) lines.push({kind, id, version, line, head})
        })
        const records = found.flat().map((entry) => ({kind: entry.kind, ...mergedLine(entry)}))
        // Read after the end, when the reader has overwritten the chunks.
        expect(lines).to.deep.equal(records.map((one) => ({...one, line: linesOf([one.line as Entry])})))
        expect(end).to.deep.equal({length: bytes.length, last: all.length})
        for (const [at, changes] of all.entries()) {
          const entries = found[at] ?? []
          expect(entries).to.have.lengthOf(changes.length)
          for (const [which, one] of changes.entries()) {
            const {kind, id, version, expect: before, uniqueKeys, facets} = entries[which] as Entry
            expect({kind, id, version, expect: before, uniqueKeys, facets}).to.deep.equal(headOf(one))
            if (one.doc) expect(entries[which]?.text().text).to.equal(JSON.stringify(one.doc))
          }
        }
      }),
    )
  })
})
