import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {expect} from 'chai'
import {updateCustomerById} from '../../../src/api/customers/updates.js'
import {placeText} from '../../../src/client/place.js'
import type {UpdateAction} from '../../../src/domain/action.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {type ImportOptions, importCustomers} from '../../../src/transfer/import.js'
import {forgetWrites, pruneJobs} from '../../../src/transfer/jobs/forget.js'
import {readJob} from '../../../src/transfer/jobs/jobs.js'
import {memoryFiles} from '../../../src/transfer/jobs/memory.js'
import {tracesIn, writesOf} from '../../../src/transfer/jobs/traces.js'
import {planImport} from '../../../src/transfer/plan.js'
import {undoJob} from '../../../src/transfer/undo.js'
import {quickRuntime, shop} from '../desk.js'
import {scratch} from '../scratch.js'

const home = {country: 'DE', city: 'Kiel', firstName: 'Ada', streetName: 'Deich'}
const work = {country: 'DE', city: 'Bonn', firstName: 'Ada', streetName: 'Markt'}

/** As if the process that wrote a file were no more. */
const endedProcess = (path: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"pid":\d+/, '"pid":999999999'))

describe('transfer · after the first run', () => {
  const files = scratch()
  const desk = shop()
  let seed = 0

  /** The former shop and the new one, with one customer each for a test. */
  function between(name: string) {
    const dir = files.path(name)
    const where = {jobsDir: dir, target: 'test', passwordMode: 'external-auth'} as const
    const rowsOf = (rows: readonly object[]) =>
      files.source(
        `${name}.jsonl`,
        rows.map((row) => JSON.stringify({key: name, email: `${name}@x.de`, ...row})).join('\n'),
      )
    const imported = async (row: object, options: Partial<ImportOptions> = {}) => {
      seed += 1
      const more = {...where, runtime: quickRuntime(seed), ...options}
      return importCustomers(desk().client, await rowsOf([row]), more)
    }
    const customer = async (): Promise<Customer> => {
      const found = (await desk().customers()).find(({key}) => key === name)
      if (!found) throw new Error('no customer')
      return found
    }
    const changed = async (...actions: UpdateAction[]): Promise<void> => {
      const {id, version} = await customer()
      await desk().client.call(updateCustomerById, {id}, {body: {version, actions}})
    }
    const undone = async (job: string) => {
      seed += 1
      const stored = await readJob(dir, job)
      if (!stored) throw new Error('no job')
      return undoJob(desk().client, stored, {jobsDir: dir, runtime: quickRuntime(seed)})
    }
    const cities = async () => (await customer()).addresses.map(({city}) => city)
    return {dir, where, rowsOf, imported, customer, changed, undone, cities}
  }

  it('keeps what somebody else changed, lists it, and writes what only the former shop changed', async () => {
    const {imported, changed, customer} = between('kept')
    await imported({firstName: 'Ada', lastName: 'Ost', title: 'Dr.'})
    await changed({action: 'setFirstName', firstName: 'Ida'})
    const result = await imported({firstName: 'Eva', lastName: 'West', title: 'Dr.'})
    expect(await customer()).to.include({firstName: 'Ida', lastName: 'West', title: 'Dr.'})
    const {id} = await customer()
    expect(result).to.deep.include({updated: 1, failed: 0})
    expect(result.kept?.members).to.deep.equal({firstName: 1})
    expect(result.kept?.first).to.deep.equal([{file: result.kept?.first[0]?.file, line: 1, id, members: ['firstName']}])
    const again = await imported({firstName: 'Eva', lastName: 'West', title: 'Dr.'})
    expect(again).to.deep.include({unchanged: 1, updated: 0})
    expect(again.kept?.rows).to.equal(1)
  })

  it('keeps what somebody took away, and takes away what the former shop did', async () => {
    const {imported, changed, customer} = between('gone')
    await imported({firstName: 'Ada', lastName: 'Ost', title: 'Dr.'})
    await changed({action: 'setFirstName'})
    const {kept} = await imported({firstName: 'Ada', lastName: 'Ost', title: null})
    expect(await customer()).to.not.have.any.keys('firstName', 'title')
    expect(kept?.members).to.deep.equal({firstName: 1})
  })

  it('overwrites or fails where it is told', async () => {
    const {imported, changed, customer} = between('told')
    await imported({firstName: 'Ada'})
    await changed({action: 'setFirstName', firstName: 'Ida'})
    const failed = await imported({firstName: 'Eva'}, {onNewer: 'fail'})
    expect(failed).to.include({failed: 1, updated: 0})
    expect(await customer()).to.include({firstName: 'Ida'})
    const over = await imported({firstName: 'Eva'}, {onNewer: 'overwrite'})
    expect(over).to.include({updated: 1}).and.not.have.property('kept')
    expect(await customer()).to.include({firstName: 'Eva'})
  })

  it('replaces what differs where no run is known: nobody can tell who changed it', async () => {
    const {imported, changed, customer, cities} = between('unknown')
    await imported({firstName: 'Ada', addresses: [home]})
    await changed({action: 'setFirstName', firstName: 'Ida'}, {action: 'addAddress', address: work})
    const other = {jobsDir: files.path('another-machine')}
    await imported({firstName: 'Eva', addresses: [home]}, {...other, addresses: 'add'})
    expect([(await customer()).firstName, await cities()]).to.deep.equal(['Eva', ['Kiel', 'Bonn']])
    await imported({addresses: [home]}, {jobsDir: files.path('a-third-machine')})
    expect(await cities()).to.deep.equal(['Kiel'])
  })

  it('leaves addresses alone that customers added, and removes those that a run brought', async () => {
    const {imported, changed, customer, cities} = between('addresses')
    const second = {...work, city: 'Jena', streetName: 'Ring'}
    await imported({addresses: [home, second], defaultShippingAddress: 0})
    await changed({action: 'addAddress', address: work})
    const added = (await customer()).addresses[2]?.id ?? ''
    await changed({action: 'setDefaultBillingAddress', addressId: added})
    await imported({addresses: [{...home, streetName: 'Neuer Deich'}], defaultShippingAddress: 0})
    expect(await cities()).to.deep.equal(['Kiel', 'Bonn'])
    const after = await customer()
    expect(after.addresses[0]).to.include({streetName: 'Neuer Deich'})
    expect(after).to.include({defaultBillingAddressId: added, defaultShippingAddressId: after.addresses[0]?.id})
    await imported({addresses: [home]}, {addresses: 'replace'})
    expect(await cities()).to.deep.equal(['Kiel'])
  })

  it('keeps an address that a customer changed or removed, as a whole', async () => {
    const {imported, changed, customer, cities} = between('moved')
    await imported({addresses: [home, work], defaultShippingAddress: 0, shippingAddresses: [0, 1]})
    const [first, second] = (await customer()).addresses
    await changed(
      {action: 'changeAddress', addressId: first?.id, address: {...home, city: 'Husum', streetName: 'Hafen'}},
      {action: 'removeAddress', addressId: second?.id},
    )
    const row = {
      addresses: [
        {...home, postalCode: '24103'},
        {...work, postalCode: '53111'},
      ],
    }
    const {kept} = await imported({...row, defaultShippingAddress: 0, shippingAddresses: [0, 1]})
    expect(await cities()).to.deep.equal(['Husum'])
    expect((await customer()).addresses[0]).to.not.have.property('postalCode')
    expect(kept?.first[0]?.members).to.deep.equal(['addresses.0', 'addresses.1'])
  })

  it('takes an added address for the one that the former shop adds as well', async () => {
    const {imported, changed, cities} = between('both')
    await imported({addresses: [home]})
    await changed({action: 'addAddress', address: work})
    expect(await imported({addresses: [home, work]})).to.include({unchanged: 1})
    expect(await cities()).to.deep.equal(['Kiel', 'Bonn'])
  })

  it('says the same in a plan, row by row', async () => {
    const {imported, changed, rowsOf, where} = between('plan')
    await imported({firstName: 'Ada', lastName: 'Ost'})
    await changed({action: 'setFirstName', firstName: 'Ida'})
    const rows: object[] = []
    const plan = await planImport(desk().client, await rowsOf([{firstName: 'Eva', lastName: 'West'}]), {
      ...where,
      onEvent: (event) => {
        if (event.type === 'planned') rows.push(event.row)
      },
    })
    expect(plan.kept?.members).to.deep.equal({firstName: 1})
    expect(rows[0]).to.deep.include({
      do: 'update',
      actions: [{action: 'setLastName', lastName: 'West'}],
      kept: ['firstName'],
    })
  })

  it('forgets what a job wrote when that is taken back', async () => {
    const {imported, customer, undone} = between('undo')
    await imported({firstName: 'Ada'})
    const {job} = await imported({firstName: 'Eva'})
    expect(await undone(job)).to.include({restored: 1})
    expect(await customer()).to.include({firstName: 'Ada'})
    const result = await imported({firstName: 'Eva'})
    expect(result).to.include({updated: 1}).and.not.have.property('kept')
    expect(await customer()).to.include({firstName: 'Eva'})
  })

  it('keeps one file of many runs, erases persons in it, and drops it when no run comes', async () => {
    const {imported, changed, customer, dir} = between('fold')
    await imported({firstName: 'Ada'})
    for (const title of 'abcdefgh') await imported({title})
    expect(memoryFiles(dir)).to.have.length(9)
    for (const path of memoryFiles(dir)) endedProcess(path)
    await changed({action: 'setFirstName', firstName: 'Ida'})
    const {kept} = await imported({firstName: 'Eva'})
    expect([kept?.rows, memoryFiles(dir).length]).to.deep.equal([1, 2])
    const {id} = await customer()
    const jobs = {dir, place: placeText('test', desk().client.projectKey)}
    const elsewhere = {dir, place: placeText('another', desk().client.projectKey)}
    expect(await writesOf(elsewhere, id), 'of a place with the same ids').to.equal(0)
    await forgetWrites(await tracesIn(elsewhere, [{id}]), [id])
    expect(await writesOf(jobs, id)).to.be.greaterThan(0)
    await forgetWrites(await tracesIn(jobs, [{id}]), [id])
    expect(await writesOf(jobs, id)).to.equal(0)
    await pruneJobs(dir, 0)
    expect(memoryFiles(dir)).to.have.length(2)
    await pruneJobs(dir, Date.now() + 60_000)
    expect(memoryFiles(dir), 'the process that wrote them is at work').to.have.length(2)
    for (const path of memoryFiles(dir)) endedProcess(path)
    await pruneJobs(dir, Date.now() + 60_000)
    expect(readdirSync(dir).filter((name) => name.startsWith('written-'))).to.deep.equal([])
  })

  it('divides an update of more than 500 actions, and takes all of it back', async () => {
    const {imported, customer, undone} = between('large')
    const addresses = (street: string, count: number) =>
      Array.from({length: count}, (_, at) => ({country: 'DE', key: `a-${at}`, streetName: `${street} ${at}`}))
    await imported({addresses: addresses('Alt', 400)})
    const roles = {shippingAddresses: Array.from({length: 300}, (_, at) => at)}
    const {job} = await imported({addresses: addresses('Neu', 400), ...roles})
    const after = await customer()
    expect([after.addresses[399]?.streetName, after.shippingAddressIds.length]).to.deep.equal(['Neu 399', 300])
    expect(await undone(job)).to.include({restored: 1, failed: 0})
    const before = await customer()
    expect([before.addresses[399]?.streetName, before.shippingAddressIds.length]).to.deep.equal(['Alt 399', 0])
  })
})
