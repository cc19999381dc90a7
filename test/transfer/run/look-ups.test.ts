import {expect} from 'chai'
import type {RowDraft} from '../../../src/transfer/input/row-draft.js'
import type {CustomerCalls, CustomerSelection} from '../../../src/transfer/send/customer-calls.js'
import type {Sender} from '../../../src/transfer/send/sender.js'
import {findCustomers} from '../../../src/transfer/write/plan-row.js'

/** What is asked when customers of these rows are looked up. */
async function askedFor(...drafts: readonly RowDraft[]): Promise<readonly CustomerSelection[]> {
  const asked: CustomerSelection[] = []
  const find = async (wanted: CustomerSelection) => {
    asked.push(wanted)
    return {results: []}
  }
  const send = (request: () => Promise<unknown>) => request()
  await findCustomers(drafts, 'key', {find} as unknown as CustomerCalls, {send} as unknown as Sender)
  return asked
}

describe('transfer · look-ups of customers', () => {
  it('asks once for many rows, and for resources behind references only where a row names one', async () => {
    const plain = Array.from({length: 250}, (_, at) => ({key: `k-${at}`, email: `${at}@x.de`, customerGroup: null}))
    const [asked, ...more] = await askedFor(...plain, {key: 'a', addresses: [{city: 'Bonn', custom: null}]})
    expect(more).to.deep.equal([])
    expect(asked).to.include({member: 'key'}).and.to.deep.include({expand: []})
    expect(asked?.values).to.have.length(251)
    const type = {typeId: 'type', key: 't'}
    for (const named of [
      {customerGroup: {key: 'gold'}},
      {customerGroupAssignments: [{customerGroup: {key: 'gold'}}]},
      {custom: {type}},
      {addresses: [{}, {custom: {type}}]},
    ] satisfies readonly RowDraft[]) {
      const [first] = await askedFor(...plain, {key: 'a', ...named})
      expect(first, JSON.stringify(named)).to.not.have.property('expand', [])
      expect(first?.expand).to.equal(undefined)
    }
  })
})
