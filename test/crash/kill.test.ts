import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {seededRandom} from '../../src/server/http/faults.js'
import {openStore} from '../../src/store/open.js'
import {rounds} from '../rounds.js'
import {bundledScript} from './bundled-script.js'

const kills = rounds(6, 60)
const seed = 20261120
const lanes = 4
const writer = bundledScript(fileURLToPath(new URL('./writer.ts', import.meta.url)))

/** Runs the victim, kills it after so many acknowledged commits and a little more, and returns what it acknowledged. */
async function killed(dir: string, round: number, commits: number, compactBytes: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, dir, String(lanes), String(round), String(compactBytes)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += String(chunk)
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.split('\n').length > commits) child.kill('SIGKILL')
  }
  const [code, signal] = (await ended) as [number | null, string | null]
  expect({code, signal, complaints}).to.deep.equal({code: null, signal: 'SIGKILL', complaints: ''})
  return text.split('\n').slice(0, -1)
}

describe('store · kill -9', () => {
  it(`loses no acknowledged commit and shows no other (${kills} rounds)`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'frontdesk-kill-'))
    const next = seededRandom(seed)
    const ledger = new Map<string, {lane: string; version: number}>()
    const seen: Seen = {names: new Set(), versions: new Map()}
    try {
      for (let round = 1; round <= kills; round += 1) {
        const commits = Math.floor(next() * 300)
        const compactBytes = [1, 4096, 1 << 20][Math.floor(next() * 3)] ?? 1
        for (const line of await killed(dir, round, commits, compactBytes)) {
          const [lane = '', version = '', name = ''] = line.split(' ')
          ledger.set(name, {lane, version: Number(version)})
        }
        await check(dir, round, ledger, seen)
      }
    } finally {
      rmSync(dir, {recursive: true})
    }
  })
})

/** What earlier rounds found: an unacknowledged commit that was there must stay. */
interface Seen {
  readonly names: Set<string>
  readonly versions: Map<string, number>
}

async function check(
  dir: string,
  round: number,
  ledger: ReadonlyMap<string, {lane: string; version: number}>,
  seen: Seen,
): Promise<void> {
  const store = await openStore({dir, facets: {}, writer: 'reader'})
  const things = await store.query('shop', 'things', {limit: 1_000_000, offset: 0, count: {cap: 1_000_000}})
  expect(things.total).to.equal(things.results.length)
  const present = new Set(things.results.map(({id}) => id))
  for (const name of ledger.keys()) expect(present.has(name), `round ${round} lost ${name}`).to.equal(true)
  const latest = seen.versions
  for (const {lane, version} of ledger.values()) latest.set(lane, Math.max(version, latest.get(lane) ?? 0))
  for (let lane = 0; lane < lanes; lane += 1) {
    const document = await store.get('shop', 'lanes', `lane-${lane}`)
    const version = document?.version ?? 0
    // The one commit that was on its way may have got to the disk, all of it, or not.
    expect(version - (latest.get(String(lane)) ?? 0), `round ${round} lane ${lane}`).to.be.oneOf([0, 1])
    latest.set(String(lane), version)
  }
  for (const name of present) {
    const [, lane = '', version = ''] = name.split('-')
    expect(Number(version), `round ${round} shows ${name}`).to.be.at.most(latest.get(lane) ?? 0)
    seen.names.add(name)
    expect((await store.find('shop', 'things', `name:${name}`))?.id).to.equal(name)
  }
  for (const name of seen.names) expect(present.has(name), `round ${round} forgot ${name}`).to.equal(true)
  await store.close()
}
