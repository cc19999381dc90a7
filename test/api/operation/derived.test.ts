import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {foldedOver} from '../../../src/api/operation/change.js'
import {collections} from '../../../src/api/operation/collection-table.js'
import type {Context} from '../../../src/api/operation/context.js'
import {parameters} from '../../../src/api/operation/parameters.js'
import {isMadeOf} from '../../../src/client/creation.js'
import {addressFields} from '../../../src/domain/address-fields.js'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import {fieldRows} from '../../../src/domain/customers/fields.js'
import type {Document} from '../../../src/store/store.js'
import {limits} from '../../../src/work/limits.js'
import {type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

/** What follows from declarations, for every row of a table. */

describe('api · what follows from declarations', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
  })

  it('asks for the scope of an action, whatever it changes', async () => {
    const customer = await signedUp(desk, {email: 'scoped@example.com'})
    const setKey = customerActions.get('setKey')
    const project = await desk.runtime.state.get<Body>('_', 'project', desk.projectKey)
    const foldedBy = (scopes: string, declared: object, external?: true) => {
      const principal = {kind: 'bearer', projectKey: desk.projectKey, clientId: 'c', scopes: [scopes], external}
      const context = {runtime: desk.runtime, project, principal, now: desk.clock.now} as unknown as Context
      const actions = [{action: {...setKey, ...declared} as never, body: {key: 'scoped'}}]
      return foldedOver(context, customer, {version: 1, actions}).then(
        ({next}) => next.version,
        (error: {code: string}) => error.code,
      )
    }
    const [some, all] = [`manage_customers:${desk.projectKey}`, `manage_project:${desk.projectKey}`]
    expect(await foldedBy(some, {})).to.equal(2)
    expect(await foldedBy(some, {scope: 'manage_project'})).to.equal('insufficient_scope')
    expect(await foldedBy(all, {scope: 'manage_project'})).to.equal(2)
    expect(await foldedBy(all, {ownTokensOnly: true}, true)).to.equal('insufficient_scope')
  })

  it('answers every plain field of a customer and its addresses by GraphQL', async () => {
    const {id} = await signedUp(desk, {email: 'graph@example.com'})
    const names = (fields: readonly {readonly name: string}[]) => fields.map(({name}) => name).join(' ')
    const query = `{ customer(id: "${id}") { ${names(fieldRows)} addresses { ${names(addressFields)} } } }`
    const {body} = await desk.ask('POST', '/graphql', {body: {query}})
    expect(body.errors).to.equal(undefined)
    expect(Object.keys(body.data.customer)).to.include.members(fieldRows.map(({name}) => name))
  })

  it('tells by any plain field that somebody else made a customer', async () => {
    const customer = await signedUp(desk, {email: 'made@example.com'})
    expect(isMadeOf(customer, {email: customer.email}, undefined)).to.equal(true)
    for (const {name} of fieldRows) {
      expect(isMadeOf({...customer, [name]: 'another'}, {email: customer.email}, undefined), name).to.equal(false)
    }
  })

  it('keeps a type that a resource of any kind uses', async () => {
    const {state} = desk.runtime
    for (const {typeId, references} of collections) {
      const [path] = references?.['type'] ?? []
      if (path === undefined) continue
      const type = {id: `type-of-${typeId}`, version: 1, key: `type-of-${typeId}`} as Document
      const custom = {type: {typeId: 'type', id: type.id}, fields: {}}
      await state.commit(desk.projectKey, [
        {kind: 'type', expect: 0, doc: type},
        {kind: typeId, expect: 0, doc: {id: `user-${typeId}`, version: 1, custom} as Document},
      ])
      const refused = await desk.ask('DELETE', `/types/${type.id}?version=1`)
      expect(errorOf(refused), typeId).to.include({code: 'ReferenceExists', referencedBy: typeId})
    }
  })

  it('names the operations of every collection as people would', () => {
    const ids = operations.map(({id}) => id)
    expect(ids).to.include.members(['queryTaxCategories', 'queryStores', 'taxCategoryExistsByQuery'])
    expect(ids.filter((id) => /[^aeiou]ys$/.test(id))).to.deep.equal([])
  })

  it('says the limits that are enforced', () => {
    const most = (name: string): unknown => {
      const {maxItems, maximum} = (parameters.get(name)?.schema ?? {}) as {maxItems?: number; maximum?: number}
      return maxItems ?? maximum
    }
    const {where, sortKeys, expandPaths, pageSize, pageOffset} = limits
    expect(['where', 'sort', 'expand', 'limit', 'offset'].map(most)).to.deep.equal([
      ...[where, sortKeys, expandPaths],
      ...[pageSize, pageOffset],
    ])
  })

  it('ends all one-time tokens of a customer, more than a page of them', async () => {
    const {state} = desk.runtime
    const customer = await signedUp(desk, {email: 'many@example.com'})
    const expiresAt = new Date(desk.clock.now + 60_000).toISOString()
    const token = {version: 1, purpose: 'password', customerId: customer.id, expiresAt, epoch: 0}
    const changes = Array.from({length: 501}, (_, at) => ({
      ...{kind: 'one-time-token', expect: 0},
      doc: {...token, id: `t-${at}`} as Document,
    }))
    await state.commit(desk.projectKey, changes)
    const body = {version: 1, actions: [{action: 'changeEmail', email: 'fewer@example.com'}]}
    expect((await desk.ask('POST', `/customers/${customer.id}`, {body})).status).to.equal(200)
    const page = {limit: 1, offset: 0, count: {cap: 1_000}}
    expect((await state.query(desk.projectKey, 'one-time-token', page)).total).to.equal(0)
  })
})
