import {expect} from 'chai'
import {seededRandom} from '../../src/server/http/faults.js'
import {importCustomers} from '../../src/transfer/import.js'
import {Journal} from '../../src/transfer/jobs/journal.js'
import {RunStopped} from '../../src/transfer/run/run-stopped.js'
import {rounds} from '../rounds.js'
import {quickRuntime, shop} from './desk.js'
import {type FaultProxy, faults, startFaultProxy} from './fault-proxy.js'
import {failureOf, scratch} from './scratch.js'

const files = scratch()
const rowCount = rounds(600, 9_000)
/** Every so many rows name a group that does not exist. */
const badEvery = 150

describe('transfer · a bad network', () => {
  const desk = shop()
  const proxies: FaultProxy[] = []
  after(() => Promise.all(proxies.map((proxy) => proxy.close())))
  const proxied = async (seed: number, share: number): Promise<FaultProxy> => {
    const proxy = await startFaultProxy(desk().server.apiUrl, seededRandom(seed), share)
    proxies.push(proxy)
    return proxy
  }

  it('brings every row in exactly once, and names those that failed', async () => {
    const name = 'net'
    const lines = Array.from({length: rowCount}, (_, at) =>
      JSON.stringify({
        key: `${name}-${at}`,
        email: `${name}-${at}@x.de`,
        firstName: `N${at}`,
        authenticationMode: 'ExternalAuth',
        ...(at % badEvery === 0 ? {customerGroup: {key: 'nobody'}} : {}),
      }),
    )
    const sources = await files.source(`${name}.jsonl`, lines.join('\n'))
    const proxy = await proxied(42, 0.2)
    const client = await desk().through(proxy.url)
    const runtime = quickRuntime(7)
    const options = {jobsDir: files.path(`jobs-${name}`), target: 'test', runtime, concurrency: 32}

    const result = await importCustomers(client, sources, options)
    const failed = rowCount / badEvery
    expect(result).to.include({
      read: rowCount,
      created: rowCount - failed,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed,
    })
    for (const fault of faults) expect(proxy.struck.get(fault) ?? 0, fault).to.be.at.least(rowCount / 150)
    const reported = files.read(result.report ?? '').match(/^net-\d+/gm)
    expect(reported?.toSorted()).to.deep.equal(
      Array.from({length: failed}, (_, at) => `${name}-${at * badEvery}`).toSorted(),
    )
    const ours = async () => (await desk().customers()).filter(({key}) => key?.startsWith(`${name}-`))
    const customers = await ours()
    expect(new Set(customers.map(({key}) => key)).size).to.equal(rowCount - failed)
    expect(customers.length).to.equal(rowCount - failed)
    expect(customers.every(({version}) => version === 1)).to.equal(true)
    expect(Math.max(...runtime.waited)).to.be.greaterThan(999)

    const changed = await files.source(
      `${name}-b.jsonl`,
      lines
        .map((line) => line.replace('"N', '"M'))
        .slice(1, 150)
        .join('\n'),
    )
    const again = await importCustomers(client, changed, options)
    expect(again).to.include({read: 149, updated: 149})
    const after = new Map((await ours()).map((customer) => [customer.key, customer]))
    expect(after.get(`${name}-7`)).to.include({firstName: 'M7', version: 2})
  })

  it('stops when the server is gone, and goes on from there later', async () => {
    const proxy = await proxied(1, 0)
    const client = await desk().through(proxy.url)
    const text = `key,email,authenticationMode\n${Array.from({length: 600}, (_, at) => `gone-${at},gone-${at}@x.de,ExternalAuth\n`).join('')}`
    const sources = await files.source('a.csv', text)
    const options = {jobsDir: files.path('jobs-gone'), target: 'test', concurrency: 4, runtime: quickRuntime()}
    let finished = 0
    const onEvent = (event: {type: string}): void => {
      if (event.type === 'finished-row') finished += 1
      if (finished === 300) void proxy.close()
    }
    const stopped = await failureOf<RunStopped>(importCustomers(client, sources, {...options, onEvent}))
    expect(stopped).to.be.instanceOf(RunStopped)
    expect(stopped.counts.failed).to.equal(0)
    expect(stopped.counts.read).to.be.greaterThan(200)
    expect(stopped.counts.read).to.be.lessThan(600)

    const rest = await importCustomers(desk().client, sources, {...options, resume: true})
    expect(rest).to.include({read: 600, created: 600, failed: 0, job: stopped.job})
  })

  it('stops when its journal cannot be written any more, and goes on once it can', async () => {
    const text = `key,email,authenticationMode\n${Array.from({length: 600}, (_, at) => `full-${at},full-${at}@x.de,ExternalAuth\n`).join('')}`
    const sources = await files.source('a.csv', text)
    const options = {jobsDir: files.path('jobs-full'), target: 'test', runtime: quickRuntime()}
    const {flush} = Journal.prototype
    const full = Object.assign(new Error('no space left on device'), {code: 'ENOSPC'})
    const onEvent = ({type}: {type: string}): void => {
      if (type === 'started') Journal.prototype.flush = () => Promise.reject(full)
    }
    const stopped = await failureOf<RunStopped>(
      importCustomers(desk().client, sources, {...options, onEvent}).finally(() => {
        Journal.prototype.flush = flush
      }),
    )
    expect(stopped).to.be.instanceOf(RunStopped)
    expect(stopped.cause).to.equal(full)
    const rest = await importCustomers(desk().client, sources, {...options, resume: true})
    expect(rest).to.include({read: 600, created: 600, failed: 0, job: stopped.job})
  })

  it('ends early when it is interrupted, with nothing half done', async () => {
    const text = `key,email,authenticationMode\n${Array.from({length: 600}, (_, at) => `int-${at},int-${at}@x.de,ExternalAuth\n`).join('')}`
    const sources = await files.source('a.csv', text)
    const options = {jobsDir: files.path('jobs-int'), target: 'test', runtime: quickRuntime()}
    const controller = new AbortController()
    let finished = 0
    const onEvent = (event: {type: string}): void => {
      if (event.type === 'finished-row') finished += 1
      if (finished === 250) controller.abort()
    }
    const running = importCustomers(desk().client, sources, {...options, onEvent, signal: controller.signal})
    const stopped = await failureOf<RunStopped>(running)
    expect(stopped.interrupted).to.equal(true)
    const there = (await desk().customers()).filter(({key}) => key?.startsWith('int-')).length
    expect(there).to.equal(stopped.counts.created)
    expect(await importCustomers(desk().client, sources, {...options, resume: true})).to.include({
      read: 600,
      created: 600,
    })
  })
})
