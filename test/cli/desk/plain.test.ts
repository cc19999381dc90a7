import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {Desk, root} from '../run.js'
import {enter, Telephone} from './telephone.js'

/** Calls on a terminal that moves no cursor. */
describe('cli · desk, in plain lines', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  const menu = 'What next?'
  const dumb = {env: {TERM: 'dumb'}}
  before(async () => {
    const {code, stderr} = await desk.run(['server', 'seed', join(root, 'fixtures/demo'), ...target])
    expect(code, stderr).to.equal(0)
  })
  after(() => desk.remove())

  it('asks one question a line, and redraws nothing', async () => {
    for (const [argv, options] of [
      [[], dumb],
      [['--plain'], {}],
      [[], {env: {LC_ALL: 'C'}}],
    ] as const) {
      const call = new Telephone(desk, [...target, '--ticket', 'CS-1', '--reason', 'x', ...argv], options)
      await call.answers('Who is calling?', `brandv${enter}`)
      await call.answers(menu, `l${enter}`)
      await call.sees('verified already')
      await call.answers(menu, `r${enter}`)
      await call.sees('they are signed out everywhere')
      await call.answers(menu, `?${enter}`)
      await call.sees('the command: frontdesk customers reset-password key=hazel-brandvold')
      await call.answers(menu, `.${enter}`)
      expect((await call.ended).code).to.equal(0)
      expect(call.text).to.not.include('\u001B')
    }
  })

  it('tells two people of the same name apart, and opens the one that is chosen', async () => {
    const call = new Telephone(desk, target, dumb)
    await call.answers('Who is calling?', `solheim mira${enter}`)
    const list = await call.sees('Number, another search, or + for a new customer:')
    expect(list)
      .to.match(/1\. Mira Solheim +\S+@\S+.*(?:berlin|london)/m)
      .and.match(/^2\. Mira Solheim/m)
    const second = /^2\. .*$/m.exec(list)?.[0] ?? ''
    call.types(`2${enter}`)
    const card = await call.sees(menu)
    expect(card).to.include(second.includes('london') ? 'mira-london' : 'mira-berlin')
    call.types(`.${enter}`)
    await call.ended
  })

  it('opens the only customer that the argument finds, and asks again after a number that is none', async () => {
    const one = new Telephone(desk, [...target, 'brandvold'], dumb)
    await one.answers(menu, `/${enter}`)
    await one.answers('Who is calling?', `solheim${enter}`)
    await one.answers('Number, another search, or + for a new customer:', `7${enter}`)
    await one.sees('There is no number 7')
    await one.answers('Number, another search, or + for a new customer:', `q${enter}`)
    expect((await one.ended).code).to.equal(0)
  })

  it('changes an address by numbers, keys and lines, and offers what there is', async () => {
    const call = new Telephone(desk, [...target, '--ticket', 'CS-1', '--reason', 'x', 'brandvold'], dumb)
    await call.answers(menu, `a${enter}`)
    await call.sees('[1] Uferstraße 17a 10997 Berlin DE')
    await call.answers('Which address?', `9${enter}`)
    await call.sees('Press 1, 2')
    await call.answers('Which address?', `1${enter}`)
    await call.answers('What about it?', `c${enter}`)
    await call.answers('Street', enter)
    await call.answers('House number', `18${enter}`)
    await call.answers('Postal code', enter)
    await call.answers('City', enter)
    await call.answers('State', enter)
    await call.answers('Country', enter)
    await call.sees('"17a" -> "18"')
    await call.answers(menu, `a${enter}`)
    await call.answers('Which address?', `n${enter}`)
    for (const [label, value] of [
      ['Street', 'Holtenauer Straße'],
      ['House number', '1'],
      ['Postal code', '24105'],
      ['City', 'Kiel'],
      ['State', ''],
      ['Country', 'Atlantis'],
    ] as const)
      await call.answers(label, `${value}${enter}`)
    await call.sees('no country')
    await call.answers('Country', `germany${enter}`)
    for (const label of ['First name', 'Last name', 'Company']) await call.answers(label, enter)
    await call.answers('Phone', `+49 431 555011${enter}`)
    await call.sees('Kiel')
    await call.sees('+49 431')
    await call.answers(menu, `.${enter}`)
    await call.ended
  })

  it('asks for the name of a protected profile once a call, and for a required reason', async () => {
    const profile = ['login', 'shop', '--local', '--project-key', 'demo', '--protected']
    const added = await desk.run([...profile, '--require-reason'])
    expect(added.code, added.stderr).to.equal(0)
    const call = new Telephone(desk, ['-P', 'shop', 'brandvold'], dumb)
    await call.answers(menu, `r${enter}`)
    await call.answers('Name of the profile:', `demo${enter}`)
    await call.sees("That is not 'shop'.")
    await call.answers('Name of the profile:', `shop${enter}`)
    await call.answers('Ticket', enter)
    await call.answers('Reason', enter)
    await call.answers('Reason', `forgot it${enter}`)
    await call.answers(menu, `?${enter}`)
    expect((await call.sees(menu)).replace(/\s+/g, ' '))
      .to.include("--reason 'forgot it' -P shop")
      .and.not.include('confirm')
    call.types(`r${enter}`)
    await call.sees('[?] all keys')
    await call.answers(menu, `.${enter}`)
    await call.ended
    const [first, , second] = readAudit(join(desk.folder, 'data', '_audit')).lines.slice(-4)
    expect(first).to.include({reason: 'forgot it', profile: 'shop', phase: 'intent'})
    expect(second).to.include({reason: 'forgot it', profile: 'shop', phase: 'intent'})
  })

  it('says of a project without customers that it is for practice, and how to reach another', async () => {
    const fresh = new Desk()
    const call = new Telephone(fresh, [], dumb)
    await call.sees('empty practice project')
    await call.sees('frontdesk server seed demo')
    await call.sees('frontdesk login production')
    await call.answers('Who is calling?', `.${enter}`)
    expect((await call.ended).code).to.equal(0)
    fresh.remove()
    const filled = new Telephone(desk, target, dumb)
    expect(await filled.sees('Who is calling?')).to.not.include('practice')
    filled.hangUp()
    await filled.ended
  })

  it('ends where the input ends', async () => {
    const call = new Telephone(desk, [...target, 'brandvold'], dumb)
    await call.sees(menu)
    call.hangUp()
    expect((await call.ended).code).to.equal(0)
  })
})
