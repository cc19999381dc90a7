import {join} from 'node:path'
import {expect} from 'chai'
import {openDirectory} from '../../../../src/store/lowdb/directory.js'
import {blockingFiles} from '../../../../src/store/lowdb/format/files.js'
import {readManifest} from '../../../../src/store/lowdb/format/manifest.js'
import {LowStore} from '../../../../src/store/lowdb/low-store.js'
import type {Change} from '../../../../src/store/store.js'
import {facets, put} from '../../contract.js'
import {newDirectory, removeDirectories} from '../../directory.js'

/** A change of another kind than people. */
const of = (kind: string, change: Change): Change => ({...change, kind})

/** Commits, and merges what is due at closing. */
async function commit(dir: string, writer: 'server' | 'one-shot', changes: readonly Change[]): Promise<void> {
  const store = new LowStore(await openDirectory({dir, facets, writer, compactBytes: 1}), facets)
  try {
    await store.commit('shop', changes)
  } finally {
    await store.close()
  }
}

/** The number of lines in each segment of a kind, newest first. */
async function segmentsOf(dir: string, kind: string): Promise<number[]> {
  const manifest = await readManifest(blockingFiles, join(dir, 'shop'))
  return (manifest?.segments ?? []).filter((segment) => segment.kind === kind).map(({lines}) => lines)
}

const rounds = Array.from({length: 10}, (_, at) => at)
const added = (round: number) => [0, 1].map((at) => of('notes', put(`${(round * 7) % 10}-${at}`, 1)))

describe('store · tiers of segments', () => {
  after(removeDirectories)

  it('keep what was only added in up to seven segments of a length, and all of it is found', async () => {
    const dir = newDirectory()
    const counts: number[][] = []
    for (const round of rounds) {
      await commit(dir, 'server', added(round))
      counts.push(await segmentsOf(dir, 'notes'))
    }
    expect(counts[6]).to.deep.equal([2, 2, 2, 2, 2, 2, 2])
    expect(counts[7], 'the eighth').to.deep.equal([16])
    expect(counts[9]).to.deep.equal([2, 2, 16])
    const store = new LowStore(await openDirectory({dir, facets, writer: 'reader'}), facets)
    const {results} = await store.query('shop', 'notes', {limit: 500, offset: 0})
    const ids = rounds.flatMap((round) => [`${round}-0`, `${round}-1`])
    expect(results.map(({id}) => id)).to.deep.equal(ids)
    for (const id of ids) expect((await store.get('shop', 'notes', id))?.id).to.equal(id)
    await store.close()
  })

  it('are for a server, for what was never changed, and for what nobody finds by a unique key', async () => {
    const dir = newDirectory()
    const many = Array.from({length: 100}, (_, at) => of('gone', put(`m${at}`, 1, {text: 'x'.repeat(100)})))
    for (const round of rounds) {
      const changed = of('changed', put('one', round + 1))
      const gone = round === 1 ? {kind: 'gone', expect: 1, remove: 'm7'} : of('gone', put(`g${round}`, 1))
      const people = put(`p${round}`, 1, {}, [`k${round}`])
      await commit(dir, 'server', [changed, people, gone, ...(round === 0 ? many : [])])
      for (const kind of ['changed', 'people', 'gone']) {
        expect(await segmentsOf(dir, kind), `${kind} ${round}`).to.have.length.below(4)
      }
    }
    const command = newDirectory()
    for (const round of rounds) {
      await commit(command, 'one-shot', added(round))
      expect(await segmentsOf(command, 'notes')).to.have.length.below(4)
    }
  })
})
