import {expect} from 'chai'
import type {Desk} from '../run.js'
import {demoDesk} from './harness.js'

describe('cli · server seed --quote-for', () => {
  let desk: Desk
  before(async () => {
    desk = await demoDesk()
  })
  after(() => desk.remove())

  const seed = (...argv: string[]) => desk.run(['server', 'seed', ...argv])
  const zofia = ['--quote-for', 'key=zofia-lecka', '--cart', 'zofia-to-quote']

  it('makes a pending quote that the customer can accept', async () => {
    const plan = await seed(...zofia, '--dry-run')
    expect(plan.stdout).to.equal('would make a quote for key=zofia-lecka from the cart zofia-to-quote\n')
    const made = await seed(...zofia, '--quote-key', 'spring-order')
    expect(made.stdout).to.match(/^quote spring-order: Pending, \d+\.\d\d [A-Z]{3}\n$/)
    const accepted = await desk.run(['quotes', 'accept', 'key=spring-order', '--as', 'key=zofia-lecka', '-y', '--json'])
    expect(accepted.json).to.include({quoteState: 'Accepted', version: 2})
    const unnamed = await seed(...zofia, '--json')
    expect(unnamed.json).to.have.nested.property('quote.quoteState', 'Pending')
  })

  it('makes none of what is not there, not theirs, not clear, or half said', async () => {
    const codes = []
    for (const argv of [
      ['--quote-for', 'key=nobody', '--cart', 'zofia-to-quote'],
      ['--quote-for', 'key=zofia-lecka', '--cart', 'no-cart'],
      ['--quote-for', 'key=zofia-lecka', '--cart', 'hazel-current'],
      ['--quote-for', 'mira.solheim@example.org', '--cart', 'mira-berlin'],
      [...zofia, '--quote-key', 'hazel-open'],
      [...zofia, '--quote-key', 'a b'],
      ['--quote-for', 'key=zofia-lecka'],
      [...zofia, '--project-key', 'nowhere'],
    ]) {
      codes.push((await seed(...argv)).code)
    }
    expect(codes).to.deep.equal([3, 3, 6, 5, 5, 6, 2, 3])
  })
})
