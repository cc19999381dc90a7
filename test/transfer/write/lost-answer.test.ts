import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
import type {CustomerCalls} from '../../../src/transfer/send/customer-calls.js'
import {Sender, sendingOf, UnexpectedResponse} from '../../../src/transfer/send/sender.js'
import type {Planned} from '../../../src/transfer/write/plan-row.js'
import {Writer} from '../../../src/transfer/write/write-row.js'
import {quickRuntime} from '../desk.js'

const draft = {key: 'ada', email: 'ada@example.com'}
const ada = {...draft, id: 'a1', version: 1, addresses: [], stores: []} as unknown as Customer
const duplicate = () => ApiError.of('DuplicateField', {field: 'key', duplicateValue: 'ada'})

/** How a row ends whose creations fail one after the other, and whose customer is found at a look and not before. */
async function outcome(failures: readonly Error[], foundAt: number): Promise<string> {
  const runtime = quickRuntime(1)
  const sender = new Sender(sendingOf({runtime, retries: 3, concurrency: 1}))
  const left = [...failures]
  let looks = 0
  const find = async () => {
    looks += 1
    return {results: looks >= foundAt ? [ada] : []}
  }
  const create = () => Promise.reject(left.shift() ?? new Error('nothing was left to fail with'))
  const creationTest = () => (_: Customer, isSame: boolean) => isSame
  const calls = {create, creationTest, find} as unknown as CustomerCalls
  const writer = new Writer({
    ...{match: 'key', mode: 'create', passwordMode: 'external-auth'},
    ...{calls, sender, images: {keep: async () => 0, earlier: () => undefined}},
    newPassword: async () => '',
  } as ConstructorParameters<typeof Writer>[0])
  const planned = {kind: 'create', row: {draft, number: 1}} as unknown as Planned
  return (await writer.write(planned, undefined)).outcome
}

describe('transfer · a creation whose answer was lost', () => {
  const lost = () => new UnexpectedResponse('cut off')

  it('counts as the own one where the customer is found at once, or is found to be a duplicate', async () => {
    expect(await outcome([lost()], 1)).to.equal('created')
    expect(await outcome([lost(), duplicate()], 2)).to.equal('created')
    expect(await outcome([lost(), duplicate()], 3)).to.equal('created')
  })

  it('is of somebody else where no answer was lost', async () => {
    expect(await outcome([duplicate()], 1)).to.equal('skipped')
  })
})
