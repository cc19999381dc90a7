import {expect} from 'chai'
import {initialOf} from '../../../src/cli/desk/machine.js'
import type {Event} from '../../../src/cli/desk/state.js'
import {asks, expectAt, following, openedWith, plain, ran, report, toCard, typed} from './course.js'

describe('cli · desk · machine', () => {
  it('goes from the search to the card, and to the next customer or the end', () => {
    expect(following([{is: 'picked', id: 'x', typed: 'haz'}]).state).to.include({at: 'opening', id: 'x'})
    expect(following(toCard).state.at).to.equal('card')
    expect(following([...toCard, typed('/')]).state).to.deep.equal({at: 'search', typed: ''})
    expect(following([...toCard, typed('q')]).state.at).to.equal('over')
    expect(following([{is: 'closed'}]).state.at).to.equal('over')
  })

  it('keeps what was typed when a customer cannot be opened', () => {
    for (const event of [{is: 'missing'}, {is: 'failed', report: report('Unreachable', 7)}] as const) {
      const {state, shown} = following([{is: 'picked', id: 'x', typed: 'haz'}, event])
      expect(state).to.deep.equal({at: 'search', typed: 'haz'})
      expect(shown).to.have.length(1)
    }
  })

  it('takes one key for an act without questions, and reads the card again afterwards', () => {
    expect(following([...toCard, typed('r')]).state.at).to.equal('acting')
    const read = following([...toCard, typed('r'), ran('r')])
    expect(read.state.at).to.equal('rereading')
    const last = following([...toCard, typed('r'), ran('r'), {is: 'opened', opened: openedWith({version: 4})}])
    expect(last.kinds).to.deep.equal(['card', 'result'])
    expect(expectAt(last.state, 'card').opened.customer.version).to.equal(4)
  })

  it('asks for ticket and reason once a call, and hands them to every act of it', () => {
    const first = following([...toCard, typed('r')], asks)
    expect(expectAt(first.state, 'noting').left.map(({name}) => name)).to.deep.equal(['ticket', 'reason'])
    const noted = [...toCard, typed('r'), typed('CS-1'), typed('')]
    expect(expectAt(following(noted, asks).state, 'acting').call).to.deep.equal({ticket: 'CS-1'})
    const again = following([...noted, ran('r'), {is: 'opened', opened: openedWith()}, typed('r')], asks)
    expect(expectAt(again.state, 'acting').call).to.deep.equal({ticket: 'CS-1'})
    const nextCall = following(
      [...noted, ran('r'), {is: 'opened', opened: openedWith()}, typed('/'), ...toCard, typed('r')],
      asks,
    )
    expect(nextCall.state.at).to.equal('noting')
  })

  it('asks nothing before an act that only reads', () => {
    expect(following([...toCard, typed('h')], asks).state.at).to.equal('acting')
  })

  it('asks for the name of a protected profile until it is right, once a call', () => {
    const policy = {...plain, protectedProfile: 'prod'}
    const wrong = expectAt(following([...toCard, typed('r'), typed('staging')], policy).state, 'noting')
    expect(wrong.trouble).to.include('prod')
    expect(expectAt(following([...toCard, typed('r'), typed('prod')], policy).state, 'acting').call.profile).to.equal(
      'prod',
    )
  })

  it('asks for a reason that the profile requires until there is one', () => {
    const policy = {isEmbedded: true, given: {}, requiresReason: true, hasTicket: true, hasReason: false}
    expect(following([...toCard, typed('r'), typed(' ')], policy).state).to.have.property('trouble')
    expect(following([...toCard, typed('r'), typed('by phone')], policy).state.at).to.equal('acting')
  })

  it('notes another ticket whenever it is asked to', () => {
    const {state} = following([...toCard, typed('t'), typed('CS-2'), typed('moved house')])
    expect(expectAt(state, 'card').call).to.deep.equal({ticket: 'CS-2', reason: 'moved house'})
    const changed = following([...toCard, typed('t'), typed('CS-2'), typed('why'), typed('t'), typed(''), typed('why')])
    expect(expectAt(changed.state, 'card').call).to.deep.equal({reason: 'why'})
  })

  it('says so for a key without an act, and for an act that makes no sense, and goes on', () => {
    for (const key of ['z', '!', 'ß']) {
      const {state, kinds} = following([...toCard, typed(key)])
      expect(state.at).to.equal('card')
      expect(kinds).to.deep.equal(['note'])
    }
    const verified: Event[] = [
      {is: 'picked', id: 'x', typed: ''},
      {is: 'opened', opened: openedWith({isEmailVerified: true})},
    ]
    const {state, shown} = following([...verified, typed('v')])
    expect(state.at).to.equal('card')
    expect(shown[0]).to.have.property('text').that.includes('verified already')
  })

  it('offers what the customer has, refuses what is no answer, and keeps what was typed', () => {
    const asking = expectAt(following([...toCard, typed('e')]).state, 'asking')
    expect(initialOf(asking)).to.equal('hazel@example.com')
    const refused = expectAt(following([...toCard, typed('e'), typed('hazel at home')]).state, 'asking')
    expect(refused.trouble).to.include('name@example.com')
    expect(initialOf(refused)).to.equal('hazel at home')
    const acting = expectAt(following([...toCard, typed('e'), typed('no'), typed('new@example.com')]).state, 'acting')
    expect(acting.act.words('key=h', acting.opened.customer, acting.answers)).to.deep.equal([
      'customers',
      'update',
      'key=h',
      '--set',
      'email=new@example.com',
      '--version',
      '3',
    ])
  })
})
