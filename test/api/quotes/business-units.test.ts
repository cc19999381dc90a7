import {expect} from 'chai'
import {pack} from '../../fixtures/pack.js'
import {errorOf} from '../harness.js'
import {accept, decline, idOf, openQuoteDesk, type QuoteDesk} from './harness.js'

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
    expect(errorOf(answer)).to.deep.include({
      actionIndex: 0,
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
    const uniqueKeys = [{key: 'key:harrow-mill'}]
    await desk.runtime.state.commit('demo', [{kind: 'business-unit', expect: unit.version, doc, uniqueKeys}])
    expect((await desk.act('ingrid-harrow', 'ingrid-may-do-all', accept)).status).to.equal(403)
    expect((await desk.act('ingrid-harrow', 'ingrid-through-parent', accept)).status).to.equal(403)
  })
})
