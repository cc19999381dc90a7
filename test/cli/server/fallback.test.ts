import {expect} from 'chai'
import {startUpstream, type Upstream, valuesOf} from '../../security/shop/upstream.js'
import {Desk} from '../run.js'

describe('cli · server --fallback', () => {
  const desk = new Desk()
  let upstream: Upstream
  before(async () => {
    upstream = await startUpstream()
  })
  after(async () => {
    await upstream.close()
    desk.remove()
  })

  const script = `
    const {FRONTDESK_API_URL: api, FRONTDESK_CLIENT_ID: id, FRONTDESK_CLIENT_SECRET: secret} = process.env
    const basic = 'Basic ' + Buffer.from(id + ':' + secret).toString('base64')
    const body = new URLSearchParams({grant_type: 'client_credentials'})
    const granted = await fetch(api + '/oauth/token', {method: 'POST', headers: {authorization: basic}, body})
    const authorization = 'Bearer ' + (await granted.json()).access_token
    console.log((await fetch(api + '/shop/categories?limit=1', {headers: {authorization}})).status)`
  const run = (flags: readonly string[], env: Record<string, string> = {}) => {
    const program = ['--', process.execPath, '--input-type=module', '-e', script]
    return desk.run(['server', 'exec', '--project-key', 'shop', ...flags, ...program], {env})
  }

  it('hands paths that are not served to the other server, with the authorization of the environment', async () => {
    expect((await run([])).stdout).to.equal('404\n')
    expect(upstream.asked).to.deep.equal([])
    const {stdout, stderr} = await run(['--fallback', upstream.url], {
      FRONTDESK_FALLBACK_AUTHORIZATION: 'Bearer theirs',
    })
    expect(stdout, stderr).to.equal('200\n')
    const [asked] = upstream.asked
    expect(asked?.target).to.equal('/shop/categories?limit=1')
    expect(asked && valuesOf(asked, 'authorization')).to.deep.equal(['Bearer theirs'])
  })

  it('refuses an address with credentials without repeating it', async () => {
    for (const command of [
      ['server', 'start'],
      ['server', 'exec'],
    ]) {
      const rest = command[1] === 'exec' ? ['--', process.execPath, '-e', '0'] : ['--data', ':memory:']
      const {code, stderr} = await desk.run([...command, '--fallback', 'http://ada:hush@shop.example', ...rest])
      expect([code, stderr.includes('hush')]).to.deep.equal([2, false])
      expect(stderr).to.match(/credentials/)
    }
  })
})
