import {expect} from 'chai'
import {Desk} from '../run.js'
import {ctrlU, enter, Telephone} from './telephone.js'

describe('cli · desk, a caller whom nobody knows', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  const menu = 'What next?'
  after(() => desk.remove())

  it('makes a customer whom nobody knows, shows the password once, and opens the card', async () => {
    const call = new Telephone(desk, [...target, '--ticket', 'CS-7', '--reason', 'x'])
    await call.answers('Who is calling?', 'new@caller.example')
    // Enter at nobody asks for another name; a new customer is a key.
    await call.answers('nobody matches this: type another name · + for a new customer', enter)
    await call.answers('type a part of a name', 'new@caller.example')
    await call.answers('nobody matches this: type another name · + for a new customer', '+')
    await call.answers('make a new customer', enter)
    await call.answers('Email: [new@caller.example]', enter)
    await call.answers('Title', enter)
    await call.answers('First name', `Nina${enter}`)
    await call.answers('Last name', `Wrong${enter}`)
    await call.sees('Company')
    call.types(`<${enter}`)
    await call.answers('[Wrong]', `New${enter}`)
    await call.answers('Company', enter)
    await call.sees('password, shown only once: ')
    await call.sees('Nina New  new@caller.example')
    await call.answers(menu, '.')
    expect((await call.ended).code).to.equal(0)
    const {json} = await desk.run(['customers', 'get', 'new@caller.example', ...target, '--json'])
    expect(json).to.include({firstName: 'Nina', lastName: 'New'})
  })

  it('makes one beside namesakes who are found, and in plain lines at any question of the search', async () => {
    const seeded = await desk.run(['server', 'seed', 'demo', '--project-key', 'names'])
    expect(seeded.code, seeded.stderr).to.equal(0)
    const noted = ['--project-key', 'names', '--ticket', 'CS-8', '--reason', 'x']
    const screen = new Telephone(desk, noted)
    await screen.answers('Who is calling?', 'solheim')
    await screen.answers('2 found · + for a new customer', '+')
    await screen.answers('make a new customer', enter)
    await screen.answers('Email:', `<${enter}`)
    await screen.answers('Who is calling?', `${ctrlU}+`)
    await screen.answers('make a new customer', enter)
    await screen.answers('Email:', `<${enter}`)
    await screen.answers('Who is calling?', '.')
    await screen.answers('end the session', enter)
    expect((await screen.ended).code).to.equal(0)
    const lines = new Telephone(desk, noted, {env: {TERM: 'dumb'}})
    await lines.answers('Who is calling?', `solheim${enter}`)
    await lines.answers('or + for a new customer:', `+${enter}`)
    await lines.answers('Email:', `<${enter}`)
    await lines.answers('or + for a new customer:', `${enter}`)
    await lines.answers('+ a new customer', `+${enter}`)
    await lines.answers('Email:', `mira@new.example${enter}`)
    await lines.answers('Title', `<${enter}`)
    await lines.answers('Email: [mira@new.example]', enter)
    for (const name of ['Title', 'First name', 'Last name', 'Company']) await lines.answers(name, enter)
    await lines.sees('password, shown only once: ')
    await lines.answers(menu, `.${enter}`)
    expect((await lines.ended).code).to.equal(0)
  })
})
