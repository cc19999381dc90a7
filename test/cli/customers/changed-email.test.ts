import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · a way in after a changed email', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = async (key: string): Promise<{readonly id: string}> => {
    const email = ['--email', `${key}@example.com`, '--password-stdin', '--json']
    const {json} = await desk.run(['customers', 'create', ...email], {stdin: 'a good password'})
    return (json as {readonly customer: {readonly id: string}}).customer
  }
  const changed = async (key: string): Promise<string> => {
    const {id} = await make(key)
    const {code, stderr} = await desk.run(['customers', 'update', id, '--set', `email=new-${key}@example.com`])
    expect(code, stderr).to.equal(0)
    return id
  }
  const versionOf = async (id: string): Promise<unknown> => {
    const {json} = await desk.run(['customers', 'get', id, '--json'])
    return (json as {version: number}).version
  }
  const said = 'The email was changed'
  const ways = [
    ['reset-password', '--show-secret'],
    ['reset-password', '--set', '--generate-password', '--show-secret'],
    ['verify-email', '--send-only', '--show-secret'],
  ] as const

  for (const [command, ...flags] of ways) {
    it(`${command} ${flags.join(' ')} warns a script and goes on`, async () => {
      const id = await changed(`script-${command}-${flags.length}`)
      const {code, stderr} = await desk.run(['customers', command, id, ...flags])
      expect(code, stderr).to.equal(0)
      expect(stderr.replaceAll('\n', ' ')).to.include(said)
    })

    it(`${command} ${flags.join(' ')} asks a person, and does nothing without a yes`, async () => {
      const id = await changed(`person-${command}-${flags.length}`)
      const before = await versionOf(id)
      const no = await desk.run(['customers', command, id, ...flags], {answers: ['no']})
      expect(no.code, no.stderr).to.equal(2)
      expect(await versionOf(id)).to.equal(before)
      const yes = await desk.run(['customers', command, id, ...flags], {answers: ['yes']})
      expect(yes.code, yes.stderr).to.equal(0)
    })
  }

  it('is seen behind any number of later messages, and forgotten after a week', async () => {
    const id = await changed('later')
    for (let turn = 0; turn < 9; turn += 1)
      await desk.run(['customers', 'update', id, '--set', `firstName=Name ${turn}`])
    const reset = ['customers', 'reset-password', id, '--show-secret']
    expect((await desk.run(reset)).stderr.replaceAll('\n', ' ')).to.include(said)
    expect((await desk.run(['customers', 'card', id])).stdout).to.include('EMAIL CHANGED')
    const clock = () => Date.now() + 8 * 24 * 60 * 60 * 1000
    expect((await desk.run(reset, {clock})).stderr).to.not.include('changed')
  })

  it('is not spoken of where there is none', async () => {
    const {id} = await make('quiet')
    const {stderr} = await desk.run(['customers', 'reset-password', id, '--show-secret'])
    expect(stderr).to.not.include('changed')
  })
})
