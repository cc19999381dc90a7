import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'
import {faults, LosingProxy} from '../settlement/losing-proxy.js'
import {ctrlU, enter, esc, Telephone} from './telephone.js'

/** Calls over a network that fails in the middle. */
describe('cli · desk, over a network', () => {
  const desk = new Desk()
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-lost-'))
  const menu = 'What next?'
  const yes = 'y or enter · n or esc'
  let server: RunningServer
  let proxy: LosingProxy
  let env: Record<string, string>
  before(async () => {
    server = await startServer({dataDir, projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}})
    proxy = new LosingProxy(server.apiUrl)
    const {clientId, clientSecret} = server.client
    env = {
      FRONTDESK_API_URL: await proxy.start(),
      FRONTDESK_PROJECT_KEY: 'demo',
      FRONTDESK_CLIENT_ID: clientId,
      FRONTDESK_CLIENT_SECRET: clientSecret,
    }
  })
  after(async () => {
    desk.remove()
    proxy.stop()
    await server.stop()
    rmSync(dataDir, {recursive: true, force: true})
  })

  const whole = {nth: 1000, always: false, fault: faults['lost before']}
  const audited = () => readAudit(join(desk.folder, 'data', '_audit')).lines.at(-1)?.result

  async function calling(id: string, argv: readonly string[] = []): Promise<Telephone> {
    const options = ['--correlation-id', id, '--retries', '0', '--ticket', 'CS-1', '--reason', 'x', ...argv]
    const call = new Telephone(desk, ['brandvold', ...options], {env})
    await call.answers('❯ Dr. Hazel', enter)
    return call
  }

  it('says that nothing was changed, keeps what was typed, and does it when the connection is back', async () => {
    const id = 'desk-connection-lost'
    proxy.harm(id, {fault: faults['lost before'], nth: 1, always: true})
    const call = await calling(id)
    await call.answers(menu, 'e')
    await call.answers('New email address:', `hazel@new.example${enter}`)
    await call.answers(yes, enter)
    await call.sees('Nothing has changed.')
    proxy.harm(id, whole)
    await call.sees('Try again?')
    await call.answers(yes, enter)
    await call.sees('"hazel@new.example"')
    await call.answers(menu, '.')
    expect((await call.ended).code).to.equal(0)
    expect(audited()).to.equal('done')
  })

  it('reads the card again where nobody can tell, and asks before it does it once more', async () => {
    const id = 'desk-outcome-unknown'
    proxy.harm(id, {fault: faults['504 after'], nth: 1, always: true})
    const call = await calling(id)
    await call.answers(menu, 'r')
    await call.sees('The email was changed just now')
    await call.answers(yes, enter)
    await call.sees('it is unknown whether it took effect')
    await call.sees('Nobody can tell whether it happened. Do it once more?')
    await call.answers(yes, esc)
    expect(audited()).to.equal('unknown')
    proxy.harm(id, whole)
    await call.answers(menu, 'r')
    await call.answers(yes, enter)
    await call.sees('[?] all keys')
    await call.answers(menu, '.')
    await call.ended
  })

  it('goes on with the search when nobody answers it', async () => {
    const id = 'desk-nobody-answers'
    const call = new Telephone(desk, ['--api-url', 'http://127.0.0.1:1', '--retries', '0', '--correlation-id', id], {
      env,
    })
    await call.answers('Who is calling?', 'hazel')
    await call.sees('ECONNREFUSED')
    call.types(`${ctrlU}q`)
    await call.answers('end the session', enter)
    expect((await call.ended).code).to.equal(0)
  })

  it('goes back to the search when the customer was deleted meanwhile', async () => {
    const made = await desk.run(['customers', 'create', '--email', 'short@example.com', '--external-auth'], {env})
    expect(made.code, made.stderr).to.equal(0)
    const call = new Telephone(desk, ['short@example.com', '--ticket', 'CS-1', '--reason', 'x'], {env})
    await call.answers('❯', enter)
    await call.sees(menu)
    const gone = await desk.run(['customers', 'delete', 'short@example.com', '--yes'], {env})
    expect(gone.code, gone.stderr).to.equal(0)
    call.types('v')
    await call.answers(yes, enter)
    await call.sees('somebody has deleted the account')
    await call.answers('Who is calling?', 'q')
    await call.answers('end the session', enter)
    await call.ended
  })
})
