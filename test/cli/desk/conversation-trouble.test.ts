import {expect} from 'chai'
import {courseOf, ctrlC, enter, esc, openedWith, plain, report} from './scripted-call.js'

describe('cli · desk · conversation, when something goes wrong', () => {
  const card = 'What next?'
  const search = 'Who is calling? []'

  it('asks a refused value again, with what was typed', async () => {
    for (const [code, why] of [
      [6, 'InvalidField'],
      [5, 'DuplicateField'],
      [2, 'Usage'],
    ] as const) {
      const {asked, kinds} = await courseOf(['x', 'e', 'new@example.com', enter], {ends: [report(why, code)]})
      expect(asked.at(-1)).to.equal('New email address: [new@example.com]')
      expect(kinds).to.deep.equal(['card', 'trouble'])
    }
  })

  it('asks whether to try again when the connection is lost, and does the same with yes', async () => {
    const lost = {ends: [report('Unreachable', 7)]}
    const again = await courseOf(['x', 'e', 'new@example.com', enter, enter], lost)
    expect(again.asked[4]).to.equal('Try again?')
    expect(again.ran.map(({answers}) => answers)).to.deep.equal(Array(2).fill({email: 'new@example.com'}))
    expect((await courseOf(['x', 'e', 'new@example.com', enter, esc], lost)).ran).to.have.length(1)
  })

  it('reads the customer before it asks whether to repeat what nobody can tell of', async () => {
    const {asked, kinds} = await courseOf(['x', 'r'], {ends: [report('UnknownOutcome', 8)]})
    expect(asked.at(-1)).to.include('Nobody can tell')
    expect(kinds).to.deep.equal(['card', 'trouble', 'changes'])
  })

  it('reads nobody where nobody can tell whether a customer was made, and asks whether to try again', async () => {
    const typed = ['+', 'new@example.com', enter, enter, enter, enter]
    for (const [why, asksAgain] of [
      [report('UnknownOutcome', 8), true],
      [report('Unreachable', 7), true],
      [report('ResourceNotFound', 3), false],
    ] as const) {
      const {asked, kinds} = await courseOf([...typed, ...(asksAgain ? [esc] : [])], {ends: [why], opens: [undefined]})
      expect(kinds).to.deep.equal(['note', 'trouble'])
      expect(asked.includes('Try again?')).to.equal(asksAgain)
      expect(asked.at(-1)).to.match(/^Who is calling/)
    }
  })

  it('shows what somebody else changed, and goes on with the new version', async () => {
    const script = {ends: [report('ConcurrentModification', 5)], opens: [openedWith(), openedWith({version: 9})]}
    const {kinds, ran} = await courseOf(['x', 'n', 'Dr.', 'A', 'B', enter], script)
    expect(kinds.slice(0, 2)).to.deep.equal(['card', 'changes'])
    expect(ran[1]?.words).to.include.members(['--version', '9'])
  })

  it('goes back to the search when the customer was deleted meanwhile, also right after a result', async () => {
    const script = {opens: [openedWith(), undefined]}
    const failed = await courseOf(['x', 'r'], {...script, ends: [report('ResourceNotFound', 3)]})
    expect(failed.asked.at(-1)).to.equal(search)
    expect(failed.shown.at(-1)).to.have.property('text').that.includes('deleted')
    expect((await courseOf(['x', 'n', 'Dr.', 'A', 'B'], script)).kinds).to.deep.equal(['card', 'result', 'note'])
  })

  it('goes back to the search after an erasure, and to the card after the plan of one', async () => {
    const typed = ['x', 'x', 'ERASE', 'r.json']
    expect((await courseOf(typed)).asked.at(-1)).to.equal(search)
    expect((await courseOf(typed, {policy: {...plain, isDryRun: true}})).asked.at(-1)).to.equal(card)
  })

  it('returns to the card for every other failure, with the reason', async () => {
    for (const code of [1, 4, 9, 12]) {
      const {asked, kinds} = await courseOf(['x', 'r'], {ends: [report('Refused', code)]})
      expect(asked.at(-1)).to.equal(card)
      expect(kinds).to.deep.equal(['card', 'trouble'])
    }
  })

  it('goes back a step with Ctrl-C, and ends with two of them', async () => {
    const questions = async (...typed: string[]) => (await courseOf(typed)).asked.length
    expect(await questions(ctrlC)).to.equal(2)
    expect(await questions(ctrlC, ctrlC, 'x')).to.equal(2)
    expect((await courseOf(['x', ctrlC])).asked.at(-1)).to.equal(search)
    expect((await courseOf(['x', 'e', ctrlC])).asked.at(-1)).to.equal(card)
    expect(await questions('x', 'e', ctrlC, ctrlC, 'x')).to.equal(4)
    expect(await questions('x', 'e', ctrlC, 'z', ctrlC, 'x')).to.equal(7)
  })

  it('takes an act that was broken off for a step back', async () => {
    const {asked, ran} = await courseOf(['x', 'r', ctrlC, 'x'], {ends: [report('Interrupted', 130)]})
    expect(ran).to.have.length(1)
    expect(asked).to.have.length(3)
  })
})
