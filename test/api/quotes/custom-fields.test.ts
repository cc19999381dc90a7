import {expect} from 'chai'
import {pack} from '../../fixtures/pack.js'
import {errorOf} from '../harness.js'
import {idOf, openQuoteDesk, type QuoteDesk, quoteOf} from './harness.js'

const hazel = 'hazel-brandvold'

describe('api · my quotes · custom fields', () => {
  let desk: QuoteDesk

  beforeEach(async () => {
    desk = await openQuoteDesk()
  })

  it('are set one by one, and removed', async () => {
    const set = (name: string, value?: unknown) => ({action: 'setCustomField', name, value})
    const {body} = await desk.act(hazel, 'hazel-open', set('reason', 'Moved'), set('deliverBy', null))
    expect(body.custom.fields).to.include({reason: 'Moved'}).and.to.not.have.property('deliverBy')
    expect(body.version).to.equal(3)
    const {version} = body
    const codes = []
    for (const action of [set('deliverBy'), set('reason', null), set('nothing', 1), set('deliverBy', 'soon')]) {
      const answer = await desk.as(hazel, 'POST', '/key=hazel-open', {version, actions: [action]})
      codes.push([answer.status, errorOf(answer).code])
    }
    expect(codes).to.deep.equal([
      [400, 'InvalidOperation'],
      [400, 'RequiredField'],
      [400, 'InvalidField'],
      [400, 'InvalidField'],
    ])
  })

  it('come with a type that is made for quotes', async () => {
    const act = (...actions: object[]) => desk.act(hazel, 'hazel-second-round', ...actions)
    const typed = {action: 'setCustomType', type: {typeId: 'type', key: 'negotiation'}}
    expect(errorOf(await act(typed))).to.include({code: 'RequiredField', field: 'reason'})
    expect(errorOf(await act({...typed, type: {key: 'profile'}})).code).to.equal('InvalidOperation')
    expect(errorOf(await act({...typed, type: {key: 'no-such-type'}})).code).to.equal('ReferencedResourceNotFound')
    const {body} = await act(
      {...typed, fields: {reason: 'Fair'}},
      {action: 'setCustomField', name: 'reason', value: 'Fairer'},
    )
    expect(body.custom.fields).to.deep.equal({reason: 'Fairer'})
    expect(body.custom.type).to.deep.equal({typeId: 'type', id: pack.types.find(({key}) => key === 'negotiation')?.id})
  })

  it('go with their type', async () => {
    const {body} = await desk.act(hazel, 'hazel-open', {action: 'setCustomType'})
    expect(body).to.not.have.property('custom')
  })

  it('still take the old name of the type, and say that it is old', async () => {
    const action = {action: 'setCustomType', typeKey: 'negotiation', fields: {reason: 'Fair'}}
    const answer = await desk.act(hazel, 'hazel-second-round', action)
    expect(answer.status).to.equal(200)
    expect(answer.headers['x-deprecation-notice']).to.include('typeKey')
  })

  it('open no way to what belongs to others', async () => {
    const cart = pack.carts.find(({customerId}) => customerId === idOf('ingrid-harrow'))
    const type = {
      id: 'snoop',
      version: 1,
      key: 'snoop',
      resourceTypeIds: ['quote'],
      fieldDefinitions: ['cart', 'quote', 'business-unit'].map((typeId) => ({
        name: typeId,
        type: {name: 'Reference', referenceTypeId: typeId},
      })),
    }
    await desk.runtime.state.commit('demo', [{kind: 'type', expect: 0, doc: type, uniqueKeys: [{key: 'key:snoop'}]}])
    const fields = {
      cart: {typeId: 'cart', id: cart?.id},
      quote: {typeId: 'quote', id: quoteOf('ingrid-may-do-all').id},
      'business-unit': {typeId: 'business-unit', id: pack.units[0]?.id},
    }
    const {status} = await desk.act(hazel, 'hazel-open', {action: 'setCustomType', type: {key: 'snoop'}, fields})
    expect(status).to.equal(200)
    const expand = Object.keys(fields)
      .map((name) => `expand=custom.fields.${name}`)
      .join('&')
    const {body} = await desk.as(hazel, 'GET', `/key=hazel-open?${expand}`)
    expect(body.custom.fields).to.deep.equal(fields)
  })
})
