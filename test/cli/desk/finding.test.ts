import {expect} from 'chai'
import {queryCustomers} from '../../../src/api/customers/operations.js'
import {queryMessages} from '../../../src/api/project/messages.js'
import {searchCustomers} from '../../../src/api/search/operations.js'
import {Finder} from '../../../src/cli/desk/finding.js'
import type {Client} from '../../../src/client/client.js'
import {ApiError} from '../../../src/domain/errors.js'

describe('cli · desk · finding', () => {
  const style = {columns: 80, now: 0, masked: (document: unknown) => document}
  const ada = {id: 'c-1', email: 'ada@new.example', firstName: 'Ada', addresses: [], stores: []}

  /** A project in which Ada had another email before; `searches` counts what its search is asked. */
  function project(refuses: () => boolean) {
    const seen = {searches: 0}
    const call = async (operation: object): Promise<object> => {
      if (operation === searchCustomers) {
        seen.searches += 1
        if (refuses()) throw ApiError.of('insufficient_scope', {missing: ['view_customers:demo']})
        return {total: 0, results: []}
      }
      if (operation === queryMessages) return {results: [{resource: {typeId: 'customer', id: ada.id}}]}
      if (operation === queryCustomers) return {limit: 18, results: seen.searches > 0 && refuses() ? [] : [ada]}
      throw new Error('unexpected')
    }
    return {seen, client: {call} as unknown as Client}
  }
  const find = (finder: Finder, client: Client, text: string, now = 0) =>
    finder.find(client, text, new AbortController().signal, {...style, now})

  it('searches again after a caller was found by a former email', async () => {
    const {seen, client} = project(() => false)
    const finder = new Finder()
    expect((await find(finder, client, 'ada@old.example')).note).to.include('had it before')
    await find(finder, client, 'hazl')
    expect(seen.searches).to.equal(2)
  })

  it('asks a search that was refused once more for the next caller, and not for each key', async () => {
    const {seen, client} = project(() => true)
    const finder = new Finder()
    expect((await find(finder, client, 'ada')).note).to.include('may not use the search')
    await find(finder, client, 'adal')
    expect(seen.searches).to.equal(1)
    finder.beginCall()
    await find(finder, client, 'adal')
    expect(seen.searches).to.equal(2)
  })

  it('asks a search that was refused again after a while, though nobody was opened', async () => {
    let isRefused = true
    const {seen, client} = project(() => isRefused)
    const finder = new Finder()
    await find(finder, client, 'hazl', 1000)
    isRefused = false
    await find(finder, client, 'haz', 10_999)
    expect(seen.searches).to.equal(1)
    expect((await find(finder, client, 'hazl', 11_000)).note).to.equal(
      'nobody matches this: type another name · + for a new customer',
    )
    expect(seen.searches).to.equal(2)
  })
})
