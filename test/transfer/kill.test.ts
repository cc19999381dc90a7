import {spawn} from 'node:child_process'
import {expect} from 'chai'
import type {Customer} from '../../src/domain/customers/customer.js'
import {seededRandom} from '../../src/server/http/faults.js'
import {type ImportResult, importCustomers} from '../../src/transfer/import.js'
import {bundledScript} from '../crash/bundled-script.js'
import {rounds} from '../rounds.js'
import {quickRuntime, type Shop, shop} from './desk.js'
import {scratch} from './scratch.js'

const files = scratch()
const [rowCount, kills] = [rounds(400, 2500), rounds(4, 20)]
const [existing, badEvery] = [90, 100]
const bad = rowCount / badEvery
/** Far fewer rows than there are, since some more are finished before the signal arrives. */
const mostBeforeDeath = 40

const rowAt = (at: number, firstName: string): string =>
  JSON.stringify({
    key: `kill-${at}`,
    email: `kill-${at}@x.de`,
    firstName,
    authenticationMode: 'ExternalAuth',
    addresses: [{country: 'DE', city: `City ${at}`}],
    defaultShippingAddress: 0,
    ...(at % badEvery === badEvery - 1 ? {customerGroup: {key: 'nobody'}} : {}),
  })
const rows = (count: number, firstName: string): string =>
  Array.from({length: count}, (_, at) => rowAt(at, firstName)).join('\n')

const importer = bundledScript('test/transfer/importer-process.ts')

/**
 * Runs the importer, and kills it after so many signs of life: one for each thousand rows that it checked, one when it
 * has opened its journal, one for each finished row. Its result, if it came to its end.
 */
function importing(desk: Shop, file: string, killAfter: number): Promise<ImportResult | undefined> {
  const {apiUrl, client} = desk.server
  const task = {file, jobsDir: files.path('jobs-killed'), apiUrl, ...client}
  const child = spawn(process.execPath, [importer], {
    env: {...process.env, IMPORT_TASK: JSON.stringify(task)},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text.length >= killAfter) child.kill('SIGKILL')
  })
  return new Promise((resolve) => {
    child.on('close', () => {
      const last = text.trim().split('\n').at(-1) ?? ''
      resolve(last.startsWith('{') ? (JSON.parse(last) as ImportResult) : undefined)
    })
  })
}

/** A customer without what differs between any two runs. */
const lasting = ({id: _, addresses, createdAt, lastModifiedAt, versionModifiedAt, ...customer}: Customer): object => {
  const place = (id: string | undefined): number => addresses.findIndex((address) => address.id === id)
  const {createdBy, lastModifiedBy, shippingAddressIds, defaultShippingAddressId, ...rest} = customer
  return {
    ...rest,
    shipping: shippingAddressIds.map(place),
    defaultShipping: place(defaultShippingAddressId),
    addresses: addresses.map(({id, ...address}) => address),
  }
}

describe('transfer · an importer that is killed', () => {
  const killed = shop()
  const whole = shop()

  it('ends where an uninterrupted run ends, however often it dies', async () => {
    const options = {target: 'test', concurrency: 4, runtime: quickRuntime()}
    for (const [desk, name] of [
      [killed(), 'a'],
      [whole(), 'b'],
    ] as const) {
      const first = await files.source('first.jsonl', rows(existing, 'Before'))
      await importCustomers(desk.client, first, {...options, jobsDir: files.path(`jobs-first-${name}`)})
    }
    const file = files.write('rows.jsonl', rows(rowCount, 'After'))
    const random = seededRandom(2026)
    for (let death = 0; death < kills; death += 1) {
      const killAfter = 1 + Math.floor(random() * mostBeforeDeath)
      expect(await importing(killed(), file, killAfter), `came to its end before death ${death + 1}`).to.equal(
        undefined,
      )
    }
    const finished = await importing(killed(), file, Number.POSITIVE_INFINITY)

    const source = await files.source('rows.jsonl', rows(rowCount, 'After'))
    const uninterrupted = await importCustomers(whole().client, source, {...options, jobsDir: files.path('jobs-whole')})
    const {job: _, report, ...counts} = uninterrupted
    expect(counts).to.deep.equal({
      read: rowCount,
      created: rowCount - existing - bad,
      updated: existing,
      unchanged: 0,
      skipped: 0,
      failed: bad,
    })
    expect(finished).to.deep.include(counts)
    const rowsOf = (text: string): string[] =>
      text
        .replace(/[0-9a-f-]{36}/g, '')
        .split('\r\n')
        .toSorted()
    expect(rowsOf(files.read(finished?.report ?? ''))).to.deep.equal(rowsOf(files.read(report ?? '')))
    expect((await killed().customers()).map(lasting)).to.deep.equal((await whole().customers()).map(lasting))
  })
})
