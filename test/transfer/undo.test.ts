import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {updateCustomerById} from '../../src/api/customers/updates.js'
import type {Client} from '../../src/client/client.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {type ImportOptions, importCustomers} from '../../src/transfer/import.js'
import {imagesPath} from '../../src/transfer/jobs/before-images.js'
import {journalPath, readJob} from '../../src/transfer/jobs/jobs.js'
import {planUndo, type UndoOptions, undoJob} from '../../src/transfer/undo.js'
import {quickRuntime, shop} from './desk.js'
import {failureOf, scratch} from './scratch.js'

/** A customer without what any update changes. */
const lasting = (customer: Customer): object => {
  const {version, lastModifiedAt, versionModifiedAt, lastModifiedBy, ...members} = customer
  const {lastMessageSequenceNumber, shippingAddressIds, billingAddressIds, ...more} = members as Customer & {
    lastMessageSequenceNumber?: number
  }
  const {addresses, defaultShippingAddressId, defaultBillingAddressId, ...rest} = more
  const at = (id: string | undefined): number => addresses.findIndex((address) => address.id === id)
  const defaults = [at(defaultShippingAddressId), at(defaultBillingAddressId)]
  const roles = [shippingAddressIds.map(at), billingAddressIds.map(at), defaults]
  return {...rest, roles, addresses: addresses.map(({id, ...address}) => address)}
}

describe('transfer · taking a job back', () => {
  const files = scratch()
  const desk = shop()
  let seed = 0
  /** Of each run a later hour, by which its job is named. */
  const runtime = () => ({...quickRuntime(seed), now: () => Date.parse('2026-11-20T10:00:00.000Z') + seed * 3_600_000})

  async function imported(
    dir: string,
    rows: readonly object[],
    options: Partial<ImportOptions> = {},
    client: Client = desk().client,
  ) {
    seed += 1
    const sources = await files.source('a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    const jobsDir = files.path(dir)
    const more = {
      jobsDir,
      target: 'test',
      passwordMode: 'external-auth',
      runtime: runtime(),
      ...options,
    } as const
    return (await importCustomers(client, sources, more)).job
  }
  const stored = async (dir: string, job: string) => {
    const found = await readJob(files.path(dir), job)
    if (!found) throw new Error('no such job')
    return found
  }
  async function undone(dir: string, job: string, options: Partial<UndoOptions> = {}, client = desk().client) {
    seed += 1
    const more = {jobsDir: files.path(dir), runtime: runtime(), ...options}
    const found = await stored(dir, job)
    const plan = await planUndo(client, found, more)
    return {plan, result: await undoJob(client, found, more)}
  }
  const change = (id: string, version: number, firstName: string) =>
    desk().client.call(updateCustomerById, {id}, {body: {version, actions: [{action: 'setFirstName', firstName}]}})
  const all = async () => (await desk().customers()).map(lasting)
  const byKey = async (key: string): Promise<Customer> => {
    const found = (await desk().customers()).find((one) => one.key === key)
    if (!found) throw new Error(`no ${key}`)
    return found
  }

  const old = (at: number) => ({
    key: `old-${at}`,
    email: `old-${at}@x.de`,
    firstName: 'Before',
    addresses: [
      {country: 'DE', city: 'Kiel', key: 'home'},
      {country: 'FR', city: 'Brest'},
    ],
    defaultShippingAddress: 1,
  })

  it('deletes what it created and restores what it changed, members that were absent too', async () => {
    await imported('whole', [0, 1, 2].map(old))
    const before = await all()
    const job = await imported(
      'whole',
      [
        {
          key: 'old-0',
          email: 'other-0@x.de',
          firstName: 'After',
          lastName: 'New',
          addresses: [{country: 'GB'}],
          companyName: 'Mill',
        },
        {key: 'old-1', email: 'old-0@x.de', firstName: null},
        {key: 'old-2', email: 'old-2@x.de'},
        ...Array.from({length: 20}, (_, at) => ({key: `new-${at}`, email: `new-${at}@x.de`})),
      ],
      {concurrency: 1},
    )
    expect((await stored('whole', job)).counts).to.include({created: 20, updated: 2, unchanged: 1})
    const {plan, result} = await undone('whole', job)
    expect(plan).to.include({read: 22, delete: 20, restore: 2, unchanged: 0, conflict: 0, open: 0})
    expect(result).to.include({read: 22, deleted: 20, restored: 2, failed: 0, report: null, undoOf: job})
    expect(await all()).to.deep.equal(before)
    expect(existsSync(imagesPath(files.path('whole'), job)), 'what was replaced is kept no longer').to.equal(false)
    const again = await failureOf(undone('whole', job))
    expect(again.message).to.include(`taken back by the job ${result.job}`)
    const undoOfUndo = await failureOf(undone('whole', result.job))
    expect([again.name, undoOfUndo.name]).to.deep.equal(['NothingToUndo', 'NothingToUndo'])
  })

  it('leaves alone whom somebody changed or deleted since, and says so row by row', async () => {
    await imported('since', [{key: 'held', email: 'held@x.de', firstName: 'Before'}])
    const job = await imported('since', [
      {key: 'held', email: 'held@x.de', firstName: 'After'},
      {key: 'since-1', email: 'since-1@x.de'},
      {key: 'since-2', email: 'since-2@x.de'},
    ])
    const held = await byKey('held')
    await change(held.id, held.version, 'Somebody')
    const touched = await byKey('since-1')
    await change(touched.id, touched.version, 'Somebody')
    const {plan, result} = await undone('since', job)
    expect(plan).to.include({delete: 1, restore: 0, conflict: 2})
    expect(plan.refused.map(({id}) => id)).to.have.members([held.id, touched.id])
    expect(result).to.include({deleted: 1, restored: 0, failed: 2})
    const report = files.read(result.report ?? '')
    expect(report.split('\r\n')[0]).to.equal('id,was,_line,_outcome,_code,_message,_correlationId')
    expect(report).to.match(
      new RegExp(`${held.id},updated,1,failed,ChangedSince,.*at version 3, and the job left it at 2`),
    )
    expect(report).to.include(`${touched.id},created,2,failed,ChangedSince`)
    expect((await byKey('held')).firstName).to.equal('Somebody')
    expect((await byKey('since-1')).firstName).to.equal('Somebody')
    const again = await undone('since', job)
    expect(again.result, 'a second try').to.include({deleted: 0, unchanged: 1, failed: 2})
  })

  it('names what nothing brings back', async () => {
    await imported('stays', [{key: 'signs-in', email: 'signs-in@x.de', password: 'sesame'}], {passwordMode: 'column'})
    const rows = [{key: 'signs-in', email: 'signs-in@x.de', authenticationMode: 'ExternalAuth'}]
    const job = await imported('stays', rows, {passwordMode: 'column'})
    const {result} = await undone('stays', job)
    expect(result).to.include({restored: 0, failed: 1})
    expect(files.read(result.report ?? '')).to.include('cannot be taken back: authenticationMode')
  })

  it('counts as its own what it had sent when it was killed', async () => {
    await imported('killed', [{key: 'kept', email: 'kept@x.de', firstName: 'Before'}])
    const rows = [
      {key: 'kept', email: 'kept@x.de', firstName: 'After'},
      {key: 'made', email: 'made@x.de'},
    ]
    const job = await imported('killed', rows)
    const images = imagesPath(files.path('killed'), job)
    const held = readFileSync(images)
    const {result: first} = await undone('killed', job)
    expect(first).to.include({deleted: 1, restored: 1})
    // As a kill leaves it: everything was sent, and nothing of that was noted. A row that nothing was sent for stays out.
    const journal = journalPath(files.path('killed'), first.job)
    const lines = files.read(journal).split('\n')
    const planned = lines.findIndex((line) => line.startsWith('{"plan"'))
    writeFileSync(journal, `${lines.slice(0, planned + 1).join('\n')}\n{"row":1,"li`)
    writeFileSync(images, held)
    const {plan, result} = await undone('killed', job)
    expect(plan).to.include({unchanged: 2, conflict: 0})
    expect(result).to.include({job: first.job, read: 2, deleted: 1, restored: 1, unchanged: 0, failed: 0})
  })

  /** A customer whose change to another city takes more than one request. */
  const wide = (key: string, city: string) => ({
    ...{key, email: `${key}@x.de`},
    addresses: Array.from({length: 350}, (_, at) => ({key: `a-${at}`, country: 'DE', city})),
    shippingAddresses: city === 'Kiel' ? [] : Array.from({length: 350}, (_, at) => at),
  })
  /** A client after each of whose updates something happens. */
  const clientWith = (happens: (after: Customer) => Promise<unknown>): Client => {
    const call = async (...argv: Parameters<Client['call']>) => {
      const answer = await desk().client.call(...argv)
      if (argv[0].id === updateCustomerById.id) await happens(answer as Customer)
      return answer
    }
    return {...desk().client, call} as Client
  }

  for (const [when, sent, open] of [
    ['between two parts of one customer', 1, {restore: 1, unchanged: 0}],
    ['behind the last of them', 2, {restore: 0, unchanged: 1}],
  ] as const) {
    it(`goes on when it was killed ${when}, and the run before can be taken back as well`, async () => {
      const dir = `parts-${sent}`
      const first = await imported(dir, [wide(dir, 'Kiel')])
      const before = await all()
      const job = await imported(dir, [wide(dir, 'Bonn')])
      let count = 0
      const killed = clientWith(async () => {
        count += 1
        if (count === sent) throw new Error('killed')
      })
      expect((await failureOf(undone(dir, job, {}, killed))).name).to.equal('RunStopped')
      const {plan, result} = await undone(dir, job)
      expect(plan).to.include({...open, conflict: 0})
      expect(result).to.include({restored: 1, failed: 0})
      expect(await all()).to.deep.equal(before)
      expect((await undone(dir, first)).result).to.include({deleted: 1, failed: 0})
    })
  }

  it('brings a customer to the end whom somebody else changed between two parts, going there and back', async () => {
    const cities = async () => [...new Set((await byKey('between')).addresses.map(({city}) => city))]
    await imported('between', [wide('between', 'Kiel')])
    let isFirst = true
    const disturbed = clientWith(async ({id, version}) => {
      if (isFirst) await change(id, version, `Ada ${version}`)
      isFirst = false
    })
    const job = await imported('between', [wide('between', 'Bonn')], {}, disturbed)
    expect(await cities()).to.deep.equal(['Bonn'])
    isFirst = true
    expect((await undone('between', job, {}, disturbed)).result).to.include({restored: 1, failed: 0})
    expect(await cities()).to.deep.equal(['Kiel'])
    expect((await byKey('between')).firstName).to.match(/^Ada \d+$/)
  })

  it('goes on where it was interrupted, and counts everything once', async () => {
    const job = await imported(
      'again',
      Array.from({length: 40}, (_, at) => ({key: `i-${at}`, email: `i-${at}@x.de`})),
    )
    const stop = new AbortController()
    let seen = 0
    const onEvent: UndoOptions['onEvent'] = ({type}) => {
      if (type === 'finished-row') seen += 1
      if (seen === 10) stop.abort()
    }
    const stopped = await failureOf(undone('again', job, {concurrency: 2, signal: stop.signal, onEvent}))
    expect(stopped.name).to.equal('RunStopped')
    const {result} = await undone('again', job)
    expect(result).to.include({read: 40, deleted: 40, unchanged: 0, failed: 0})
    expect((await desk().customers()).filter(({key}) => key?.startsWith('i-'))).to.deep.equal([])
  })
})
