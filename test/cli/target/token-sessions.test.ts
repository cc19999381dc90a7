import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · saved sessions', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const issue = async (...argv: string[]): Promise<{readonly access_token: string}> => {
    const {code, json, stderr} = await desk.run(['token', 'issue', '--show-secret', '--json', ...argv], {
      stdin: 'geheim-123',
    })
    expect(code, stderr).to.equal(0)
    return json as {readonly access_token: string}
  }

  before(async () => {
    const argv = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--password-stdin']
    expect((await desk.run(argv, {stdin: 'geheim-123'})).code).to.equal(0)
  })

  it('shows no token when it saves one, unless asked', async () => {
    const flow = ['token', 'issue', '--flow', 'password', '--email', 'ada@example.com', '--password-stdin']
    const kept = () => JSON.parse(readFileSync(join(desk.folder, 'cache', 'sessions', 'ada.json'), 'utf8')) as object
    for (const also of [[], ['-q']]) {
      const {code, stdout, stderr} = await desk.run([...flow, '--save', 'ada', ...also], {stdin: 'geheim-123'})
      expect(code, stderr).to.equal(0)
      const {accessToken, refreshToken} = kept() as Record<string, string>
      for (const token of [accessToken, refreshToken]) expect(stdout + stderr).to.not.include(token)
      expect(stdout).to.match(/^ada is valid until 20/)
    }
    const raw = await desk.run([...flow, '--save', 'ada', '--print', 'raw', '--show-secret'], {stdin: 'geheim-123'})
    expect(raw.stdout).to.equal(`${(kept() as {accessToken: string}).accessToken}\n`)
  })

  it('ends the whole of a saved session', async () => {
    const password = ['--flow', 'password', '--email', 'ada@example.com', '--password-stdin']
    for (const verify of [['--verify'], []]) {
      const {access_token: access} = await issue(...password, '--save', 'ada')
      const {code, stdout, stderr} = await desk.run(['token', 'revoke', '--saved', 'ada', ...verify])
      expect(code, stderr).to.equal(0)
      expect(stdout).to.include('the session')
      expect((await desk.run(['token', 'refresh', 'ada'])).code).to.equal(4)
      expect((await desk.run(['token', 'introspect', '-', '--json'], {stdin: access})).json).to.deep.equal({
        active: false,
      })
    }
  })

  it('ends one token of a session if its kind is named', async () => {
    const {access_token: access} = await issue('--flow', 'anonymous', '--save', 'visitor')
    await desk.run(['token', 'revoke', '--saved', 'visitor', '--hint', 'access_token', '--verify'])
    expect((await desk.run(['token', 'introspect', '-', '--json'], {stdin: access})).json).to.deep.equal({
      active: false,
    })
    expect((await desk.run(['token', 'refresh', 'visitor'])).code).to.equal(0)
    expect(
      (await desk.run(['token', 'revoke', '--saved', 'visitor', '--hint', 'refresh_token', '--verify'])).code,
    ).to.equal(0)
    expect((await desk.run(['token', 'refresh', 'visitor'])).code).to.equal(4)
  })
})
