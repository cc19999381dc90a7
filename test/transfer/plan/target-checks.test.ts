import {expect} from 'chai'
import {createCustomer} from '../../../src/api/accounts/sign-up.js'
import {createStore, createType} from '../../../src/api/collections/operations.js'
import type {Client} from '../../../src/client/client.js'
import {ApiError} from '../../../src/domain/errors.js'
import {type ImportOptions, importCustomers} from '../../../src/transfer/import.js'
import {planImport} from '../../../src/transfer/plan.js'
import type {TransferEvent} from '../../../src/transfer/run/events.js'
import {TooManyFailures} from '../../../src/transfer/run/failure-limit.js'
import {RunStopped} from '../../../src/transfer/run/run-stopped.js'
import {quickRuntime} from '../desk.js'
import {importing} from '../importing.js'
import {failureOf} from '../scratch.js'

const {files, desk} = importing()

/** A client that notes what it is asked, and may refuse some of it. */
function noting(refuse: (id: string) => ApiError | undefined = () => undefined): {client: Client; asked: string[]} {
  const asked: string[] = []
  const {client} = desk()
  const call: Client['call'] = (operation, params, options) => {
    asked.push(operation.id)
    const refusal = refuse(operation.id)
    return refusal ? Promise.reject(refusal) : client.call(operation, params, options)
  }
  return {client: {...client, call}, asked}
}

const external = {passwordMode: 'external-auth'} as const

async function planned(text: string | readonly object[], options: Partial<ImportOptions> = {}, {client} = noting()) {
  const sources =
    typeof text === 'string'
      ? await files.source('a.csv', text)
      : await files.source('a.jsonl', text.map((row) => JSON.stringify(row)).join('\n'))
  const events: TransferEvent[] = []
  const onEvent = (event: TransferEvent) => events.push(event)
  const plan = await planImport(client, sources, {runtime: quickRuntime(), onEvent, ...external, ...options})
  const causes = events.findLast((event) => event.type === 'causes')?.causes.causes ?? []
  return {plan, causes, events}
}

describe('transfer · what the target would refuse', () => {
  before(async () => {
    const shoe = {name: 'shoeSize', label: {en: 'Shoe'}, type: {name: 'Number'}, required: false}
    const club = {name: 'club', label: {en: 'Club'}, type: {name: 'String'}, required: true}
    const body = {key: 'shopper', name: {en: 'S'}, resourceTypeIds: ['customer'], fieldDefinitions: [shoe, club]}
    await desk().client.call(createType, {}, {body})
  })

  it('is a conflict of the plan, looked up once for each distinct value', async () => {
    const rows = Array.from({length: 1000}, (_, at) => `r-${at},r-${at}@x.de,${at % 2 === 0 ? 'nope' : 'gone'}\n`)
    const {client, asked} = noting()
    const {plan, causes} = await planned(`key,email,customerGroup.key\n${rows.join('')}`, {}, {client, asked})
    expect(plan).to.include({read: 1000, create: 0, conflict: 1000})
    expect(causes.map(({code, rows: count, column, kind}) => [code, count, column, kind])).to.deep.equal([
      ['ReferencedResourceNotFound', 500, 'customerGroup.key', 'conflict'],
      ['ReferencedResourceNotFound', 500, 'customerGroup.key', 'conflict'],
    ])
    expect(asked.filter((id) => id === 'queryCustomerGroups')).to.have.length(1)
  })

  it('is a custom field of another type, and a required one only of a new customer', async () => {
    const head = 'key,email,custom.type.key,custom.fields.shoeSize,custom.fields.club\n'
    const first = await planned(`${head}c-1,c1@x.de,shopper,abc,A\nc-2,c2@x.de,shopper,41,B\nc-3,c3@x.de,shopper,42,\n`)
    expect(first.plan).to.include({create: 1, conflict: 2})
    expect(first.causes.map(({code, column}) => [code, column])).to.deep.equal([
      ['InvalidField', 'custom.fields.shoeSize'],
      ['RequiredField', 'custom'],
    ])
    const sources = await files.source('b.csv', `${head}c-2,c2@x.de,shopper,41,B\n`)
    const run = {jobsDir: files.path('jobs-custom'), target: 'test', runtime: quickRuntime(), ...external}
    expect(await importCustomers(desk().client, sources, run)).to.include({created: 1})
    const second = await planned('key,email,custom.type.key,custom.fields.shoeSize\nc-2,c2@x.de,shopper,43\n')
    expect(second.plan).to.include({update: 1, conflict: 0})
  })

  it('is a hash of no accepted form, which nobody is shown', async () => {
    const text = 'key,email,passwordHash\nh-1,h1@x.de,$2x$10$nothingthatishashed\n'
    const {plan, causes} = await planned(text, {passwordMode: 'column'})
    expect(plan).to.include({create: 0, conflict: 1})
    expect(causes[0]).to.include({code: 'InvalidField', column: 'passwordHash'})
    expect(JSON.stringify(causes)).not.to.include('nothingthat')
  })

  it('stays open where the caller may not look, and says so once', async () => {
    const text = 'key,email,customerGroup.key,stores.0.key\no-1,o1@x.de,nope,\no-2,o2@x.de,other,\n'
    const denied = noting((id) =>
      id === 'queryCustomerGroups' ? ApiError.of('insufficient_scope', {missing: ['view_customer_groups']}) : undefined,
    )
    const {plan, events} = await planned(text, {}, denied)
    expect(plan).to.include({create: 2, conflict: 0})
    const notes = events.filter((event) => event.type === 'unchecked')
    expect(notes.map(({what}) => what)).to.deep.equal(['customer groups'])
  })

  it('is announced by a run before the first write, and the target has the last word', async () => {
    const sources = await files.source('a.csv', 'key,email,customerGroup.key\ns-1,s1@x.de,nope\ns-2,s2@x.de,\n')
    const {client, asked} = noting()
    const events: TransferEvent[] = []
    const run = {jobsDir: files.path('jobs-some'), target: 'test', runtime: quickRuntime(), ...external}
    const result = await importCustomers(client, sources, {...run, onEvent: (event) => events.push(event)})
    expect(result).to.include({created: 1, failed: 1})
    expect(asked.filter((id) => id.startsWith('createCustomer'))).not.to.have.length(0)
    expect(events.map(({type}) => type).filter((type) => ['will-fail', 'started'].includes(type))).to.deep.equal([
      'will-fail',
      'started',
    ])
  })

  it('is an email or a number that another customer holds, by the rules of stores', async () => {
    const {client} = desk()
    const create = (body: object) => client.call(createCustomer, {}, {body})
    for (const key of ['berlin', 'london']) await client.call(createStore, {}, {body: {key}})
    const [berlin, london] = ['berlin', 'london'].map((key) => [{typeId: 'store', key}])
    await create({key: 't-global', email: 'Taken@x.de', customerNumber: 'N-1', authenticationMode: 'ExternalAuth'})
    for (const email of ['taken-1@x.de', 'taken-2@x.de', 'taken-3@x.de']) {
      await create({email, stores: berlin, authenticationMode: 'ExternalAuth'})
    }
    const {client: noted, asked} = noting()
    const rows = [
      {key: 'new-1', email: 'taken@X.de'},
      {key: 'new-2', email: 'other@x.de', customerNumber: 'N-1'},
      {key: 'new-3', email: 'taken-1@x.de'},
      {key: 'new-4', email: 'taken-2@x.de', stores: berlin},
      {key: 'new-5', email: 'taken-3@x.de', stores: london},
      {key: 't-global', email: 'moved@x.de'},
    ]
    const {plan, causes} = await planned(rows, {}, {client: noted, asked})
    // One for the first contact; by the key that rows are matched by, emails and numbers, again since one may move.
    expect(asked.filter((id) => id === 'queryCustomers')).to.have.length(7)
    expect(plan).to.include({create: 2, update: 1, conflict: 3})
    expect(causes.map(({code, rows, column}) => [code, rows, column])).to.have.deep.members([
      ['DuplicateField', 2, 'email'],
      ['DuplicateField', 1, 'customerNumber'],
    ])
  })
})

describe('transfer · too many failures', () => {
  const rows = (count: number, group: (at: number) => string) =>
    `key,email,customerGroup.key\n${Array.from({length: count}, (_, at) => `t-${at},t-${at}@x.de,${group(at)}\n`).join('')}`
  const run = async (text: string, options: Partial<ImportOptions>, name: string) => {
    const sources = await files.source('a.csv', text)
    const fixed = {jobsDir: files.path(name), target: 'test', runtime: quickRuntime(), ...external}
    return importCustomers(desk().client, sources, {...fixed, ...options})
  }

  it('end a run whose first hundred rows all fail alike, and the job can be resumed', async () => {
    const text = rows(300, () => 'nope')
    const stopped = await failureOf<RunStopped>(run(text, {}, 'jobs-alike'))
    expect(stopped).to.be.instanceOf(RunStopped)
    expect(stopped.cause).to.be.instanceOf(TooManyFailures)
    // Rows that were at work already come to their end.
    expect(stopped.counts.failed).to.be.within(100, 300)
    expect(stopped.causes.causes?.[0]).to.include({rows: stopped.counts.failed})
    const rest = await run(text, {resume: true, maxFailures: {percent: 100}}, 'jobs-alike')
    expect(rest).to.include({read: 300, failed: 300, job: stopped.job})
  })

  it('are no reason to stop when one of the hundred is fine', async () => {
    expect(
      await run(
        rows(150, (at) => (at === 50 ? '' : 'nope')),
        {},
        'jobs-one',
      ),
    ).to.include({created: 1, failed: 149})
  })

  it('are known before the first write where the target is sure to refuse them', async () => {
    const text = rows(40, (at) => (at < 3 ? 'nope' : '')).replaceAll('t-', 'u-')
    const refused = await failureOf(run(text, {maxFailures: {percent: 5}}, 'jobs-sure'))
    expect(refused).to.be.instanceOf(TooManyFailures)
    expect((await desk().customers()).some(({key}) => key?.startsWith('u-'))).to.equal(false)
    expect(await run(text, {maxFailures: {rows: 3}}, 'jobs-sure')).to.include({created: 37, failed: 3})
  })
})
