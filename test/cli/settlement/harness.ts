import {existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import type {AuditLine} from '../../../src/cli/safety/audit.js'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {type Client, type RunningServer, startServer} from '../../../src/index.js'
import {rounds} from '../../rounds.js'
import {Desk, type Ended} from '../run.js'
import {type FaultName, faults, LosingProxy} from './losing-proxy.js'
import {connected, type Place, type Row} from './place.js'
import {Timeouts} from './timeouts.js'

/**
 * Every command that writes meets every way to lose an answer. Whatever happens, four must agree: the exit code, what
 * was said, the audit log, and the store, which alone decides what is right.
 */
export function settles(rows: readonly Row[]): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-settle-'))
  let server: RunningServer
  let proxy: LosingProxy
  let client: Client
  let env: Record<string, string>
  const desks: Desk[] = []
  let made = 0
  let timeouts: Timeouts
  const own = rows.filter(({isTaken}) => !isTaken)

  before(async () => {
    // Not before: each stands in for the timeouts of the whole process until it is restored.
    timeouts = new Timeouts()
    server = await startServer({dataDir, projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}})
    proxy = new LosingProxy(server.apiUrl)
    const {clientId, clientSecret} = server.client
    client = await connected(server.apiUrl, clientId, clientSecret)
    env = {
      FRONTDESK_API_URL: await proxy.start(),
      FRONTDESK_PROJECT_KEY: 'demo',
      FRONTDESK_CLIENT_ID: clientId,
      FRONTDESK_CLIENT_SECRET: clientSecret,
    }
  })
  after(async () => {
    for (const desk of desks) desk.remove()
    timeouts.restore()
    await client.close()
    proxy.stop()
    await server.stop()
    rmSync(dataDir, {recursive: true, force: true})
  })

  const fresh = (): Desk => {
    const desk = new Desk()
    desks.push(desk)
    return desk
  }

  /** Runs a row against one fault, at a desk that may have run others before. */
  async function run(row: Row, name: FaultName, {desk = fresh(), always = false} = {}): Promise<Cell> {
    const place: Place = {client, dataDir, folder: desk.folder}
    made += 1
    const key = `row-${made}`
    const trial = await row.prepare(key, place)
    const correlationId = `settling-${key}`
    const limitMs = hourMs + made
    const isSilent = name === 'silence after'
    const fault = isSilent ? {...faults[name], answer: () => timeouts.pass(limitMs)} : faults[name]
    proxy.harm(correlationId, {fault, nth: row.nth ?? 1, always})
    const timeout = isSilent ? ['--timeout', `${limitMs}ms`] : []
    // The limit that passes is that of the latest request, so there is one at a time.
    const retries = row.command === 'customers import' ? (isSilent ? ['--concurrency', '1'] : []) : ['--retries', '1']
    const argv = [...trial.argv, '--correlation-id', correlationId, ...retries, ...timeout]
    const ended = await desk.run(argv, {env, wait: async () => undefined})
    expect(proxy.struck(correlationId), `nothing was struck: ${ended.stderr}`).to.be.greaterThan(0)
    const last = readAudit(join(desk.folder, 'data', '_audit')).lines.at(-1)
    const isDone = ended.code === 0 || !row.untold ? await trial.isDone(ended, last?.target) : false
    return {ended, isDone, last}
  }

  interface Cell {
    readonly ended: Ended
    readonly isDone: boolean
    readonly last: AuditLine | undefined
  }

  const saysNothingChanged = /nothing has changed/i

  /** What is said and recorded agrees with what is in the store. */
  function agree({ended: {code, stdout, stderr}, isDone, last}: Cell, row: Row): void {
    const said = `exit ${code}, audit ${last?.result}\n${stdout}${stderr}`
    expect(last?.phase, said).to.equal('result')
    if (code === 0) {
      expect(isDone, said).to.equal(true)
      expect(last?.result, said).to.equal('done')
      expect(stdout + stderr).to.not.match(saysNothingChanged)
    } else if (code === 8) {
      expect(last?.result, said).to.equal('unknown')
      expect(stdout + stderr, said).to.match(/(?:look|check)[^:]*: frontdesk /i)
      expect(stderr, said).to.not.match(saysNothingChanged)
    } else {
      expect(isDone, said).to.equal(false)
      expect(last?.result, said).to.not.be.oneOf(['done', 'unknown'])
      expect(row.untold, said).to.equal(undefined)
    }
  }

  /** Once: the command ends as if the answer had come, where a reading or a safe repeat can tell. */
  function checkOnce(row: Row, name: FaultName, cell: Cell): void {
    agree(cell, row)
    if (row.untold) return
    const {code, stdout, stderr} = cell.ended
    const isRefused = name === 'HTML 403 before' || (row.changesNothing && passesNever.has(name))
    if (!isRefused) expect(code, `${name}: ${stderr}${stdout}`).to.equal(0)
    else if (row.command !== 'check smoke') {
      expect(code, stderr).to.equal(row.command === 'customers import' ? 10 : name === 'a redirect after' ? 7 : 4)
    }
  }

  /** Again and again: what is there counts as done, what is not as undone, and what may still come as unknown. */
  function checkAlways(row: Row, name: FaultName, cell: Cell): void {
    agree(cell, row)
    if (row.untold || row.command === 'check smoke') return
    const {code, stderr} = cell.ended
    const expected = name === '504 before' ? 8 : 7
    expect(code, `${name}: ${stderr}`).to.equal(name.endsWith('after') ? 0 : expected)
    if (code === 7) expect(stderr, name).to.match(saysNothingChanged)
  }

  /** Faults one after the other, at a few desks side by side: most of a run is waiting for disks and workers. */
  async function eachOf(faultNames: readonly FaultName[], meet: (name: FaultName, desk: Desk) => Promise<void>) {
    const left = [...faultNames]
    const atDesk = async (desk: Desk): Promise<void> => {
      for (let name = left.shift(); name; name = left.shift()) await meet(name, desk)
    }
    await Promise.all(Array.from({length: desksAtOnce}, () => atDesk(fresh())))
  }

  for (const [at, row] of own.entries()) {
    it(`${row.command}${row.what === undefined ? '' : ` (${row.what})`} says what is so, whatever is lost`, async () => {
      const {meetsAll, isRepeatedElsewhere, command} = row
      const once = command === 'check smoke' ? fewFaults : meetsAll ? allFaults : someKindsFrom(at)
      await eachOf(once, async (name, desk) => checkOnce(row, name, await run(row, name, {desk})))
      const repeated = isRepeatedElsewhere ? [] : meetsAll ? repeatedFaults : repeatedFaults.slice(1)
      await eachOf(repeated, async (name, desk) => checkAlways(row, name, await run(row, name, {desk, always: true})))
    })
  }

  it('says what is so where no answer comes in time', async () => {
    for (const row of own) checkOnce(row, 'silence after', await run(row, 'silence after'))
  })

  it('leaves no file of a desk open, whatever was lost', () => {
    expect(openFiles().filter((path) => desks.some(({folder}) => path.startsWith(folder)))).to.deep.equal([])
  })

  const taken = rows.filter(({isTaken}) => isTaken)
  if (taken.length === 0) return
  it('takes nobody else for a customer of its own making, whatever is lost', async () => {
    for (const row of taken) {
      await eachOf(allFaults, async (name, desk) => {
        const cell = await run(row, name, {desk})
        agree(cell, row)
        expect(cell.ended.code, cell.ended.stderr).to.be.oneOf([4, 5, 7])
      })
    }
  })
}

/** Files that this process has open, where the system tells. */
const openFiles = (): string[] =>
  ['/proc/self/fd'].filter(existsSync).flatMap((list) =>
    readdirSync(list).flatMap((fd) => {
      try {
        return [readlinkSync(join(list, fd))]
      } catch {
        return []
      }
    }),
  )

const desksAtOnce = 4
const hourMs = 3_600_000

/** Silence has a test of its own. */
const allFaults = (Object.keys(faults) as FaultName[]).filter((name) => name !== 'silence after')
/** One of each kind: lost, reset, refused by what is in between, late, garbled. */
const kindsOfFaults = [
  'lost before',
  'lost after',
  'reset after',
  '502 after',
  '503 before',
  '504 after',
  'half a document after',
  'HTML 403 before',
] as const
/** Three of them, other ones for each row. */
const someKindsFrom = (row: number): readonly FaultName[] =>
  [...kindsOfFaults, ...kindsOfFaults].slice((row * 3) % kindsOfFaults.length).slice(0, rounds(3, kindsOfFaults.length))
/** What is not sent again. */
const passesNever: ReadonlySet<FaultName> = new Set(['HTML 403 after', 'a redirect after'])
const fewFaults = ['lost before', 'lost after', '502 after'] as const
const repeatedFaults = ['lost before', 'lost after', '504 before'] as const
