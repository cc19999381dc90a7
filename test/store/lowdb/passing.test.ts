import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../../src/domain/json-text.js'
import type {Predicate} from '../../../src/query/ast.js'
import {compile} from '../../../src/query/to-function.js'
import {linesOf} from '../../../src/store/lowdb/file/checksum.js'
import type {Files} from '../../../src/store/lowdb/file/files.js'
import {Entry} from '../../../src/store/lowdb/line/entry.js'
import {lacks, literalsOf} from '../../../src/store/lowdb/line/literals.js'
import {type Scanned, SegmentScans} from '../../../src/store/lowdb/table/segment-scans.js'
import {Collection} from '../../../src/store/lowdb/tree/collection.js'
import type {Document} from '../../../src/store/store.js'
import {customers, predicates} from '../../query/arbitraries.js'
import {facets} from '../../query/customer-shape.js'
import {equals} from '../contract/subject.js'

type Held = Document & Readonly<Record<string, unknown>>

const entryOf = (doc: Held, facets: readonly (string | null)[] = [], expect = 0): Entry => {
  const {id, version} = doc
  const head = {kind: 'people', id, version, expect, uniqueKeys: [{key: `name:${id}`}], facets}
  return Entry.of(head, JsonText.of(JSON.stringify(doc)))
}

const tombstone = (id: string): Entry =>
  Entry.of({kind: 'people', id, version: 0, expect: 0, uniqueKeys: [], facets: []}, undefined)

const idOf = (at: number): string => `id-${String(at).padStart(6, '0')}`

/** The lines of a segment in memory. */
function scansOf(entries: readonly Entry[]) {
  const lines = entries.map((entry) => linesOf([entry]))
  const offsets = [0]
  for (const line of lines) offsets.push((offsets.at(-1) as number) + line.length)
  const bytes = Buffer.concat(lines)
  const read: Files['read'] = (_fd, buffer, offset, length, position) =>
    bytes.copy(buffer, offset, position, Math.min(position + length, bytes.length))
  const segment = {
    file: {bytes: bytes.length},
    handles: {first: 0, pin: () => () => {}},
    index: {layout: {slots: lines.length}, offset: (slot: number) => offsets[slot] as number},
    at: (slot: number) => entries[slot],
    cachesScans: false,
    damagedAt: (position: number) => new Error(`damaged at ${position}`),
  }
  return {scans: new SegmentScans({read} as Files, segment as unknown as Scanned), bytes, offsets}
}

/** From behind the entry before `from` on. */
const passedIds = (
  scans: SegmentScans,
  predicate: Predicate | undefined,
  from = 0,
  test: (document: Document) => boolean = () => true,
): string[] => {
  const literals = predicate ? literalsOf(predicate) : []
  const seen: string[] = []
  for (const line of scans.passing(literals, from === 0 ? undefined : idOf(from - 1))) {
    if (!line) continue
    expect(lacks(line.text().bytes, literals)).to.equal(false)
    if (test(line.look())) seen.push(line.id)
  }
  return seen
}

/** Mostly short, and now and then as long as chunks are. */
const fillerLength = fc.oneof(
  {weight: 60, arbitrary: fc.nat(3_000)},
  {weight: 1, arbitrary: fc.constantFrom(262_144, 300_000)},
)

describe('store · lines that a scan passes', () => {
  it('have everything that matches, wherever chunks end and however texts are written', () => {
    // Whatever the random predicates find, one document has this id, and every scan begins before it.
    const last = idOf(299)
    fc.assert(
      fc.property(
        fc.array(predicates, {minLength: 8, maxLength: 8}),
        customers(12).filter(({length}) => length > 0),
        fc.array(fillerLength, {minLength: 300, maxLength: 300}),
        fc.nat(299),
        (some, documents, lengths, from) => {
          const all = lengths.map((length, at) => ({
            ...documents[at % documents.length],
            id: idOf(at),
            version: 1,
            filler: ' "ä'.repeat(length / 6),
          }))
          const isRemoved = (at: number) => at % 50 === 7
          const {scans} = scansOf(all.map((doc, at) => (isRemoved(at) ? tombstone(doc.id) : entryOf(doc))))
          for (const predicate of [...some, equals('id', last)]) {
            const test = compile(predicate, facets)
            const wanted = all.filter((doc, at) => at >= from && !isRemoved(at) && test(doc)).map(({id}) => id)
            expect(passedIds(scans, predicate, from, test)).to.deep.equal(wanted)
          }
          expect(passedIds(scans, equals('id', last), from)).to.deep.equal([last])
          expect(passedIds(scans, undefined, from)).to.have.length(
            all.filter((_, at) => at >= from && !isRemoved(at)).length,
          )
        },
      ),
      {numRuns: 4},
    )
  })

  it('are no others: what the head or the end of a line has is not in a document', () => {
    const names = ['x', 'c', 'name:id-000002', '=name:id-000002', 'doc', 'Ada', '', 'da']
    const {scans} = scansOf(names.map((name, at) => entryOf({id: idOf(at), version: 1, name})))
    for (const [at, name] of names.entries()) expect(passedIds(scans, equals('name', name))).to.deep.equal([idOf(at)])
  })

  it('are verified before anything is known of them, the first time and later', () => {
    const {scans, bytes, offsets} = scansOf(
      Array.from({length: 500}, (_, at) => entryOf({id: idOf(at), version: 1, name: 'Ada', filler: '.'.repeat(900)})),
    )
    for (const isKnown of [false, true]) {
      for (const slot of [0, 200, 499]) {
        const at = (offsets[slot] as number) + 500
        bytes[at] = (bytes[at] as number) ^ 1
        expect(() => passedIds(scans, equals('name', 'Bob'))).to.throw(`damaged at ${offsets[slot]}`)
        bytes[at] = (bytes[at] as number) ^ 1
      }
      expect(passedIds(scans, equals('name', 'Bob')), String(isKnown)).to.deep.equal([])
    }
    bytes[(offsets[3] as number) - 1] = 0x20
    expect(() => passedIds(scans, equals('name', 'Bob'))).to.throw(`damaged at ${offsets[2]}`)
  })
})

/** What is found while others write; undefined for steps without a document. */
type Finding = (collection: Collection) => Iterable<Entry | undefined>

function expectWhileOthersWrite(most: number, find: Finding): void {
  const step = fc.record({
    at: fc.nat(most),
    name: fc.constantFrom('Ada', 'Ada', 'Bob', undefined),
    freeze: fc.boolean(),
  })
  const steps = fc.array(step, {maxLength: most})
  fc.assert(
    fc.property(steps, steps, fc.nat(most), (some, meanwhile, many) => {
      const collection = new Collection({name: (document) => (document as {name?: string}).name})
      const names = new Map<string, Set<string | undefined>>()
      const write = ({at, name, freeze}: {at: number; name: string | undefined; freeze: boolean}) => {
        const id = idOf(at)
        collection.put(name === undefined ? tombstone(id) : entryOf({id, version: 1, name}, [name], 1))
        if (freeze) collection.freeze()
        return {id, name}
      }
      const first = Array.from({length: many}, (_, at) => ({at, name: 'Ada', freeze: false}))
      for (const one of [...first, ...some]) {
        const {id, name} = write(one)
        names.set(id, new Set([name]))
      }
      const seen: string[] = []
      const later = meanwhile.values()
      for (const entry of find(collection)) {
        if (entry) seen.push(entry.id)
        const {value, done} = later.next()
        if (done) continue
        const {id, name} = write(value)
        names.set(id, (names.get(id) ?? new Set([undefined])).add(name))
      }
      expect(seen).to.deep.equal([...new Set(seen)].sort())
      const always = [...names].filter(([, had]) => had.size === 1 && had.has('Ada')).map(([id]) => id)
      const ever = [...names].filter(([, had]) => had.has('Ada')).map(([id]) => id)
      expect(seen).to.include.members(always)
      expect(ever).to.include.members(seen)
    }),
    {numRuns: 100},
  )
}

describe('store · what is found while others write', () => {
  const isAda = (entry: Entry): boolean => (entry.look() as {readonly name?: string}).name === 'Ada'

  it('has each document once, in its order, that matches all the time, and none that never does: in a scan', () => {
    expectWhileOthersWrite(30, (collection) => collection.passing(literalsOf(equals('name', 'Ada')), isAda, undefined))
  })

  it('has them in a look-up of few and of many', () => {
    expectWhileOthersWrite(60, (collection) => {
      return collection.lookUp('name', ['Ada']).entries()
    })
  })
})
