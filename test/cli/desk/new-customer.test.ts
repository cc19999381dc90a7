import {expect} from 'chai'
import {Desk} from '../run.js'
import {enter, Telephone} from './telephone.js'

describe('cli · desk, a caller whom nobody knows', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  const menu = 'What is to be done?'
  after(() => desk.remove())

  it('makes a customer whom nobody knows, shows the password once, and opens the card', async () => {
    const call = new Telephone(desk, [...target, '--ticket', 'CS-7', '--reason', 'x'])
    await call.answers('Who is calling?', 'new@caller.example')
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
})
