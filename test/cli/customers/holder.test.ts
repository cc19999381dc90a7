import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · a value that another customer has', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const create = (...flags: string[]) => desk.run(['customers', 'create', '--external-auth', ...flags])
  const one = ['--email', 'pell@example.com', '--key', 'pell', '--customer-number', 'D-1', '--first-name', 'Owen']

  it('names who has it, at a creation, an update and an undo, and by email, key and number', async () => {
    expect((await create(...one)).code).to.equal(0)
    expect((await create('--email', 'ada@example.com', '--key', 'ada')).code).to.equal(0)
    for (const argv of [
      ['create', '--external-auth', '--email', 'PELL@example.com'],
      ['create', '--external-auth', '--email', 'x@example.com', '--customer-number', 'D-1'],
      ['update', 'key=ada', '--set', 'key=pell'],
      ['update', 'key=ada', '--set', 'email=pell@example.com'],
    ]) {
      const {code, stderr} = await desk.run(['customers', ...argv])
      expect(code, argv.join(' ')).to.equal(5)
      expect(stderr).to.match(/^ {2}\S+ {2}key=pell {2}global {2}Owen$/m)
      expect(stderr).to.include('See who has it: frontdesk customers card key=pell')
    }
    await desk.run(['customers', 'update', 'key=pell', '--set', 'email=other@example.com'])
    expect((await desk.run(['customers', 'update', 'key=ada', '--set', 'email=pell@example.com'])).code).to.equal(0)
    const undone = await desk.run(['undo', 'key=pell'])
    expect(undone.code).to.equal(5)
    expect(undone.stderr).to.include('key=ada')
  })

  it('tells programs the holder beside the refusal, and no name with --redact', async () => {
    const {code, json} = await desk.run(['customers', 'create', '--external-auth', ...one, '--json', '--redact'])
    expect(code).to.equal(5)
    expect(json).to.have.nested.property('error.details[0].field', 'email')
    expect(json).to.have.nested.property('error.details[1].id')
    expect(JSON.stringify(json)).to.not.match(/Owen|pell@/)
  })
})
