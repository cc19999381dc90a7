import {expect} from 'chai'
import {pack} from '../fixtures/pack.js'
import {type Body, errorOf} from './harness.js'
import {accept, decline, idOf, openQuoteDesk, type QuoteDesk, quoteOf} from './quotes-harness.js'

const hazel = 'hazel-brandvold'

describe('api · my quotes · answering', () => {
  let desk: QuoteDesk

  beforeEach(async () => {
    desk = await openQuoteDesk()
  })

  const messages = async (key: string): Promise<Body[]> => {
    const where = encodeURIComponent(`resource(typeId = "quote" and id = "${quoteOf(key).id}")`)
    return (await desk.ask('GET', `/messages?where=${where}&sort=sequenceNumber`)).body.results
  }

  it('accepts, by id and by key, and says so in a message', async () => {
    const {version, id, createdBy} = quoteOf('hazel-open')
    const {status, body} = await desk.as(hazel, 'POST', '/key=hazel-open?expand=customer', {version, actions: [accept]})
    expect(status).to.equal(200)
    expect(body).to.deep.include({id, quoteState: 'Accepted', version: version + 1, createdBy})
    expect(body.lastModifiedBy.customer.id).to.equal(idOf(hazel))
    expect(body.lastModifiedAt).to.equal('2026-11-20T10:00:00.000Z')
    expect(body.customer.obj.id).to.equal(idOf(hazel))
    const [message, ...rest] = await messages('hazel-open')
    expect(rest).to.deep.equal([])
    expect(message).to.deep.include({
      type: 'QuoteStateChanged',
      quoteState: 'Accepted',
      oldQuoteState: 'Pending',
      resource: {typeId: 'quote', id},
      resourceVersion: version + 1,
      sequenceNumber: 1,
      resourceUserProvidedIdentifiers: {key: 'hazel-open'},
    })
    expect(await desk.stored('hazel-open')).to.include({quoteState: 'Accepted', version: version + 1})
  })

  it('asks for another offer with a comment, or without', async () => {
    const action = 'requestQuoteRenegotiation'
    const {body} = await desk.act(hazel, 'hazel-open', {action, buyerComment: 'Ten per cent, please.'})
    expect(body).to.include({quoteState: 'DeclinedForRenegotiation', buyerComment: 'Ten per cent, please.'})
    expect((await messages('hazel-open')).map(({type, buyerComment}) => [type, buyerComment])).to.deep.equal([
      ['QuoteRenegotiationRequested', 'Ten per cent, please.'],
    ])
    const silent = await desk.act(hazel, 'hazel-second-round', {action})
    expect(silent.body.quoteState).to.equal('DeclinedForRenegotiation')
    expect(silent.body).to.not.have.property('buyerComment')
  })

  it('leaves answered quotes alone', async () => {
    const answered = ['hazel-accepted', 'hazel-declined', 'hazel-asks-again', 'hazel-first-round', 'hazel-withdrawn']
    for (const key of answered) {
      for (const action of [accept, decline, {action: 'requestQuoteRenegotiation'}]) {
        const answer = await desk.act(hazel, key, action)
        expect(answer.status, `${action.action} of ${key}`).to.equal(400)
        expect(errorOf(answer).code).to.equal('InvalidOperation')
      }
      expect(await messages(key)).to.deep.equal([])
    }
  })

  it('still takes an answer after the offer has run out', async () => {
    expect((await desk.act(hazel, 'hazel-expired', accept)).body.quoteState).to.equal('Accepted')
  })

  it('names the states that a customer may choose', async () => {
    for (const quoteState of ['Pending', 'accepted', null, 7]) {
      const answer = await desk.act(hazel, 'hazel-open', {action: 'changeMyQuoteState', quoteState})
      expect(answer.status).to.equal(400)
      expect(errorOf(answer).code).to.equal('InvalidJsonInput')
      expect(errorOf(answer).detailedErrorMessage).to.include('actions[0].quoteState').and.include('"Accepted"')
      expect(errorOf(answer).detailedErrorMessage).to.include('"Declined"')
    }
  })

  it('knows its four actions and no others', async () => {
    const answer = await desk.act(hazel, 'hazel-open', {action: 'changeQuoteState', quoteState: 'Withdrawn'})
    expect(errorOf(answer).detailedErrorMessage).to.include("'changeMyQuoteState', 'requestQuoteRenegotiation'")
    expect(answer.status).to.equal(400)
  })

  it('refuses a comment without end', async () => {
    const comment = {action: 'requestQuoteRenegotiation', buyerComment: 'x'.repeat(1_000_000)}
    const answer = await desk.act(hazel, 'hazel-open', comment)
    expect(answer.status).to.equal(400)
    expect(errorOf(answer).detailedErrorMessage).to.include('actions[0].buyerComment')
    expect(JSON.stringify(answer.body).length).to.be.below(1_000)
  })

  it('compares the version, also without actions, and writes nothing for nothing', async () => {
    const {id, version} = quoteOf('hazel-open')
    const stale = await desk.as(hazel, 'POST', `/${id}`, {version: version + 1, actions: []})
    expect(stale.status).to.equal(409)
    expect(errorOf(stale)).to.include({code: 'ConcurrentModification', currentVersion: version})
    const nothing = await desk.as(hazel, 'POST', `/${id}`, {version, actions: []})
    expect(nothing).to.deep.include({status: 200, body: quoteOf('hazel-open')})
  })

  it('stores all actions or none', async () => {
    const answer = await desk.act(
      hazel,
      'hazel-open',
      {action: 'setCustomField', name: 'reason', value: 'x'},
      accept,
      decline,
    )
    expect(answer.status).to.equal(400)
    expect(await desk.stored('hazel-open')).to.deep.equal(quoteOf('hazel-open'))
    expect(await messages('hazel-open')).to.deep.equal([])
  })

  it('lets one of many win who answer at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({length: 20}, (_, at) => desk.act(hazel, 'hazel-open', at % 2 === 0 ? accept : decline)),
    )
    const won = answers.filter(({status}) => status === 200)
    const lost = answers.filter(({status}) => status === 409)
    expect([won.length, lost.length]).to.deep.equal([1, 19])
    for (const answer of lost) expect(errorOf(answer)).to.include({code: 'ConcurrentModification', currentVersion: 2})
    expect((await desk.stored('hazel-open')).quoteState).to.equal(won[0]?.body.quoteState)
    expect(await messages('hazel-open')).to.have.length(1)
    const again = await desk.as(hazel, 'POST', '/key=hazel-open', {version: 2, actions: [accept]})
    expect(errorOf(again).code).to.equal('InvalidOperation')
  })
})

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
    await desk.platform.state.commit('demo', [{kind: 'type', expect: 0, doc: type, claims: [{key: 'key:snoop'}]}])
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

describe('api · my quotes · business units', () => {
  let desk: QuoteDesk

  beforeEach(async () => {
    desk = await openQuoteDesk()
  })

  const renegotiate = {action: 'requestQuoteRenegotiation'}
  const all = {accept, decline, renegotiate}

  /** What each associate may do with a quote of their own, by the roles that the demo gives them. */
  const matrix = [
    ['ingrid-harrow', 'ingrid-may-do-all', ['accept', 'decline', 'renegotiate']],
    ['ingrid-harrow', 'ingrid-through-parent', ['accept', 'decline', 'renegotiate']],
    ['ingrid-harrow', 'ingrid-not-associate', []],
    ['owen-pell', 'owen-may-only-look', []],
    ['owen-pell', 'owen-may-do-all', ['accept', 'decline', 'renegotiate']],
    ['petra-vance', 'petra-may-not-accept', ['decline', 'renegotiate']],
    ['petra-vance', 'petra-two-roles', ['accept', 'decline', 'renegotiate']],
    ['petra-vance', 'petra-may-only-look', []],
    ['zofia-lecka', 'zofia-may-only-accept', ['accept']],
    ['layla-rahimi', 'layla-for-others-only', []],
  ] as const

  for (const [customer, quote, allowed] of matrix) {
    it(`${quote}: ${allowed.length === 0 ? 'nothing' : allowed.join(', ')}`, async () => {
      for (const [deed, action] of Object.entries(all)) {
        const {version} = await desk.stored(quote)
        // A second action that fails keeps the quote pending for the next try.
        const failing = {action: 'setCustomField', name: 'nothing'}
        const answer = await desk.as(customer, 'POST', `/key=${quote}`, {version, actions: [action, failing]})
        const may = (allowed as readonly string[]).includes(deed)
        expect(answer.status, deed).to.equal(may ? 400 : 403)
        expect(errorOf(answer).code, deed).to.equal(may ? 'InvalidOperation' : 'AssociateMissingPermission')
      }
    })
  }

  it('tell the associate, the unit and the permission that is missing', async () => {
    const answer = await desk.act('petra-vance', 'petra-may-not-accept', accept)
    const id = idOf('petra-vance')
    expect(answer.body).to.deep.include({statusCode: 403, error: 'AssociateMissingPermission'})
    expect(errorOf(answer)).to.deep.equal({
      code: 'AssociateMissingPermission',
      message: `Associate '${id}' has no rights to accept a quote in business-unit 'harrow-mill'. Needs 'AcceptMyQuotes'.`,
      associate: {typeId: 'customer', id},
      businessUnit: {typeId: 'business-unit', key: 'harrow-mill'},
      permissions: ['AcceptMyQuotes'],
    })
  })

  it('let everybody read and annotate what is theirs', async () => {
    expect((await desk.as('owen-pell', 'GET', '/key=owen-may-only-look')).status).to.equal(200)
    const typed = {action: 'setCustomType', type: {key: 'negotiation'}, fields: {reason: 'Later'}}
    expect((await desk.act('owen-pell', 'owen-may-only-look', typed)).status).to.equal(200)
  })

  it('follow a change of roles at once', async () => {
    const unit = pack.units.find(({key}) => key === 'harrow-mill')
    if (!unit) throw new Error('no unit')
    const doc = {...unit, version: unit.version + 1, associates: []}
    const claims = [{key: 'key:harrow-mill'}]
    await desk.platform.state.commit('demo', [{kind: 'business-unit', expect: unit.version, doc, claims}])
    expect((await desk.act('ingrid-harrow', 'ingrid-may-do-all', accept)).status).to.equal(403)
    expect((await desk.act('ingrid-harrow', 'ingrid-through-parent', accept)).status).to.equal(403)
  })
})
