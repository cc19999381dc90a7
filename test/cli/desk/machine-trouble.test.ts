import {expect} from 'chai'
import {beginning, initialOf, step} from '../../../src/cli/desk/machine.js'
import type {Event, Ran} from '../../../src/cli/desk/state.js'
import {actOf, asks, back, expectAt, following, openedWith, plain, ran, report, toCard, typed} from './course.js'

describe('cli · desk · machine, when something goes wrong', () => {
  it('asks a refused value again, with what was typed', () => {
    for (const [code, why] of [
      [6, 'InvalidField'],
      [5, 'DuplicateField'],
      [2, 'Usage'],
    ] as const) {
      const {state, kinds} = following([...toCard, typed('e'), typed('new@example.com'), ran('e', code, why)])
      expect(initialOf(expectAt(state, 'asking'))).to.equal('new@example.com')
      expect(kinds).to.deep.equal(['trouble'])
    }
  })

  it('asks whether to try again when the connection is lost, and does the same with yes', () => {
    const lost = following([...toCard, typed('e'), typed('new@example.com'), ran('e', 7, 'Unreachable')])
    expect(lost.state.at).to.equal('repeating')
    const again = expectAt(following([typed('y')], plain, lost.session).state, 'acting')
    expect(again.answers).to.deep.equal({email: 'new@example.com'})
    const not = following([typed('n')], plain, lost.session)
    expect(initialOf(expectAt(following([typed('e')], plain, not.session).state, 'asking'))).to.equal('new@example.com')
    expect(following([typed('x')], plain, lost.session).state).to.have.property('trouble')
  })

  it('reads the customer before it asks whether to repeat what nobody can tell of', () => {
    const open = following([...toCard, typed('r'), ran('r', 8, 'UnknownOutcome')])
    expect(open.state.at).to.equal('rereading')
    const asked = following([{is: 'opened', opened: openedWith({version: 4})}], plain, open.session)
    expect(expectAt(asked.state, 'repeating').question).to.include('Nobody can tell')
    expect(asked.kinds).to.deep.equal(['changes'])
  })

  it('shows what somebody else changed, and goes on with the new version', () => {
    const moved = following([...toCard, typed('e'), typed('new@example.com'), ran('e', 5, 'ConcurrentModification')])
    const asked = following([{is: 'opened', opened: openedWith({version: 9})}], plain, moved.session)
    expect(asked.kinds).to.deep.equal(['changes'])
    const acting = expectAt(following([typed('y')], plain, asked.session).state, 'acting')
    expect(acting.act.words('x', acting.opened.customer, acting.answers)).to.include.members(['--version', '9'])
  })

  it('goes back to the search when the customer was deleted meanwhile', () => {
    const {state, shown} = following([...toCard, typed('r'), ran('r', 3, 'ResourceNotFound'), {is: 'missing'}])
    expect(state.at).to.equal('search')
    expect(shown.at(-1)).to.have.property('text').that.includes('deleted')
  })

  it('goes back to the search after an erasure, and to the card after the plan of one', () => {
    const typedErase = [...toCard, typed('x'), typed('erase'), typed('ERASE'), typed('r.json')]
    expect(following([...toCard, typed('x'), typed('erase')]).state).to.have.property('trouble')
    expect(following([...typedErase, ran('x')]).state.at).to.equal('search')
    const plan: Ran = {act: actOf('x'), code: 0, isDryRun: true, text: '', command: ''}
    expect(following([...typedErase, {is: 'ran', ran: plan}]).state.at).to.equal('rereading')
  })

  it('returns to the card for every other failure, with the reason', () => {
    for (const code of [1, 4, 9, 12]) {
      const {state, kinds} = following([...toCard, typed('r'), ran('r', code)])
      expect(state.at).to.equal('card')
      expect(kinds).to.deep.equal(['trouble'])
    }
  })

  it('goes back a step with Ctrl-C, and ends with two of them', () => {
    expect(following([back]).state.at).to.equal('search')
    expect(following([back, back]).state.at).to.equal('over')
    expect(following([...toCard, back]).state.at).to.equal('search')
    expect(following([...toCard, typed('e'), back]).state.at).to.equal('card')
    expect(following([...toCard, typed('e'), back, back]).state.at).to.equal('over')
    expect(following([...toCard, typed('r'), ran('r', 130, 'Interrupted'), back]).state.at).to.equal('over')
    expect(following([...toCard, typed('e'), back, typed('z'), back]).state.at).to.equal('search')
  })

  it('keeps what was typed before a step back', () => {
    const there = following([...toCard, typed('n'), typed('Dr.'), back, typed('n')])
    expect(initialOf(expectAt(there.state, 'asking'))).to.equal('Dr.')
  })

  it('clears the screen of what was shown once before the next customer, and at the end', () => {
    const shown = [...toCard, typed('r'), ran('r'), {is: 'opened', opened: openedWith()} as const]
    expect(following([...shown, typed('/'), ...toCard]).kinds).to.deep.equal(['clear', 'card'])
    expect(following([...shown, typed('q')]).kinds).to.deep.equal(['clear'])
    expect(following([...shown, typed('/'), ...toCard, typed('/'), ...toCard]).kinds).to.deep.equal(['card'])
    expect(following([...toCard, typed('/'), ...toCard]).kinds).to.deep.equal(['card'])
  })

  it('never throws and never ends by itself, whatever comes in whatever order', () => {
    const events: readonly Event[] = [
      ...['r', 'e', 'n', 'a', '1', 'y', 'ERASE', 'x', 't', '', 'é', '\u0000'].map(typed),
      {is: 'opened', opened: openedWith({version: 5})},
      {is: 'missing'},
      {is: 'failed', report: report('Unreachable', 7)},
      {is: 'picked', id: 'y', typed: ''},
      ...[0, 2, 3, 4, 5, 7, 8].map((code) => ran('e', code)),
    ]
    let seed = 7
    const next = (): Event => {
      seed = (seed * 48271) % 2147483647
      return events[seed % events.length] ?? back
    }
    let session = beginning('')
    for (let at = 0; at < 5000; at += 1) session = step(session, next(), at % 2 === 0 ? plain : asks).session
    expect(session.state.at).to.not.equal('over')
  })
})
