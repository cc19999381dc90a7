import {expect} from 'chai'
import {type Body, errorOf} from '../harness.js'
import {accept, decline, idOf, openQuoteDesk, type QuoteDesk, quoteOf} from './harness.js'

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
