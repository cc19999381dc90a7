import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import {expect} from 'chai'
import {benchDraft} from './seeding.js'
import type {Call} from './server-connection.js'
import {Subject} from './server-load.js'
import {rowsOf} from './server-rows.js'

/** The rows of a file that is not small as it lies there. */
const readTwice = 'imported row, read twice'

/**
 * What one request of each kind takes, where a figure is the same on every machine: CPU time is not. A commit that changes a
 * number changes it here, with the reason in its message. A lower one counts, too, or the next commit may take it back.
 */
const table: Readonly<Record<string, Taken>> = {
  'GET by id': {promises: 10, jsonCharacters: 0, parsed: 0, fileCalls: 0, syncs: 0, bytesWritten: 0, heapBytes: 29_900},
  'GET by key': {
    promises: 10,
    jsonCharacters: 0,
    parsed: 0,
    fileCalls: 0,
    syncs: 0,
    bytesWritten: 0,
    heapBytes: 32_900,
  },
  'GET where email=': {
    promises: 12,
    jsonCharacters: 5,
    parsed: 0,
    fileCalls: 0,
    syncs: 0,
    bytesWritten: 0,
    heapBytes: 46_500,
  },
  'GET page of 20': {
    promises: 12,
    jsonCharacters: 7,
    parsed: 0,
    fileCalls: 0,
    syncs: 0,
    bytesWritten: 0,
    heapBytes: 68_000,
  },
  'update, one action': {
    promises: 42,
    jsonCharacters: 1916,
    parsed: 2,
    fileCalls: 8,
    syncs: 1,
    bytesWritten: 1772,
    heapBytes: 115_000,
  },
  'create without password': {
    promises: 34,
    jsonCharacters: 2026,
    parsed: 1,
    fileCalls: 8,
    syncs: 1,
    bytesWritten: 2823,
    heapBytes: 131_000,
  },
  'token by client credentials': {
    promises: 44,
    jsonCharacters: 2749,
    parsed: 0,
    fileCalls: 8,
    syncs: 1,
    bytesWritten: 327,
    heapBytes: 96_500,
  },
  'imported row': {
    promises: 32,
    jsonCharacters: 3052,
    parsed: 2.04,
    fileCalls: 0.7,
    syncs: 0.04,
    bytesWritten: 2744,
    heapBytes: 174_500,
  },
  [readTwice]: {
    promises: 32,
    jsonCharacters: 3052,
    parsed: 3.04,
    fileCalls: 0.7,
    syncs: 0.04,
    bytesWritten: 2744,
    heapBytes: 192_000,
  },
}

/** Of one request: promises made, characters of JSON made, texts of JSON parsed, calls of the file system, bytes that V8 allots. */
interface Taken {
  readonly promises: number
  readonly jsonCharacters: number
  readonly parsed: number
  readonly fileCalls: number
  readonly syncs: number
  readonly bytesWritten: number
  readonly heapBytes: number
}

/** How far above the table a figure may lie, as a share of it or as a number, whichever is more; and how far below. */
const tolerance: Readonly<
  Record<keyof Taken, {readonly over: number; readonly under: number; readonly least: number}>
> = {
  // A write makes up to a sixth fewer where its sync ends before the event loop looks.
  promises: {over: 0.06, under: 0.2, least: 0.2},
  jsonCharacters: {over: 0.03, under: 0.03, least: 10},
  parsed: {over: 0, under: 0, least: 0.1},
  fileCalls: {over: 0, under: 0, least: 0.15},
  syncs: {over: 0, under: 0, least: 0.05},
  bytesWritten: {over: 0.03, under: 0.03, least: 0},
  heapBytes: {over: 0.08, under: 0.12, least: 0},
}

const script = fileURLToPath(new URL('./counts-process.cjs', import.meta.url))
/** V8 allots other bytes once it has optimised, and when it does depends on the machine. */
const execArgv = [
  '--expose-gc',
  '--no-opt',
  '--no-sparkplug',
  '--single-threaded',
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
]
const [customers, warm, counted, importedRows] = [60, 50, 100, 300]

/** How many rows of an import share a commit depends on the disk: a row takes these at most. */
const mostOfRow: Partial<Taken> = {promises: 90, fileCalls: 3, syncs: 0.5}

/** The table has these as Node 20 makes them. */
const ofNode: readonly (keyof Taken)[] = process.version.startsWith('v20.') ? [] : ['promises', 'heapBytes']

/** Each figure that is not as the table says, in words. */
function differences(name: string, taken: Taken, requests: number, most: Partial<Taken> = {}): string[] {
  const wanted = table[name] as Taken
  const figures = (Object.keys(wanted) as (keyof Taken)[]).filter((figure) => !ofNode.includes(figure))
  return figures.flatMap((figure) => {
    const [is, was] = [taken[figure] / requests, wanted[figure]]
    const {over, under, least} = tolerance[figure]
    const limit = most[figure]
    const isNear = is <= was + Math.max(was * over, least) && is >= was - Math.max(was * under, least)
    const isWithin = limit === undefined ? isNear : is <= limit
    return isWithin ? [] : [`${figure} ${is.toFixed(2)}, not ${was}`]
  })
}

describe('bench · what a request takes', () => {
  let folder: string
  let subject: Subject
  let calls: ReadonlyMap<string, () => Call>

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-counts-'))
    subject = await Subject.of(1, script, [join(folder, 'state')], {execArgv})
    calls = new Map((await rowsOf(subject, customers)).map(({name, call}) => [name, call]))
  })

  after(async () => {
    await subject.stop()
    rmSync(folder, {recursive: true, force: true})
  })

  function* times(call: () => Call, count: number): Generator<Call> {
    for (let at = 0; at < count; at += 1) yield call()
  }

  for (const name of Object.keys(table)) {
    it(`is as the table says: ${name}`, async () => {
      const call = calls.get(name)
      if (!call) {
        const rows = Array.from({length: importedRows}, (_, at) => JSON.stringify(benchDraft(at))).join('\n')
        const isPacked = name === readTwice
        const file = join(folder, isPacked ? 'rows.jsonl.gz' : 'rows.jsonl')
        writeFileSync(file, isPacked ? gzipSync(rows) : rows)
        const taken = await subject.told<Taken & {created: number}>(`import ${file} ${file}.imported`)
        expect(taken.created).to.equal(importedRows)
        expect(differences(name, taken, importedRows, mostOfRow)).to.deep.equal([])
        return
      }
      await subject.all(times(call, warm))
      const counts = async (): Promise<string[]> => {
        await subject.told('begin')
        await subject.all(times(call, counted))
        return differences(name, await subject.told<Taken>('end'), counted)
      }
      // What happens once meanwhile, such as a sweep or a hint, is not of the request.
      expect((await counts()).length > 0 ? await counts() : []).to.deep.equal([])
    })
  }
})
