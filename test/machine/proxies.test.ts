import dns from 'node:dns'
import {createServer, type Server} from 'node:http'
import {expect} from 'chai'
import {dispatcherOf} from '../../src/client/transports/dispatcher.js'
import {addressOf} from '../client/foreign-server.js'

interface Row {
  readonly report: string
  readonly does: string
  /** `PROXY` stands for the address of one. */
  readonly env: Readonly<Record<string, string>>
  /** Where a request to https://api.shop.test goes. */
  readonly goes: 'direct' | 'by the proxy'
}

const proxied = (noProxy: string) => ({HTTPS_PROXY: 'PROXY', NO_PROXY: noProxy})

const rows: readonly Row[] = [
  {
    report: 'cloudfoundry/cli#213, netlify/cli#1290',
    does: 'lower case',
    env: {https_proxy: 'PROXY'},
    goes: 'by the proxy',
  },
  {
    report: 'modelstudioai/cli#50',
    does: 'an empty one in lower case beside one in upper case',
    env: {https_proxy: '', HTTPS_PROXY: 'PROXY'},
    goes: 'by the proxy',
  },
  {
    report: 'awsdocs/aws-cli-user-guide#7, minishift/minishift#2251',
    does: 'one of each case that differ',
    env: {https_proxy: 'PROXY', HTTPS_PROXY: 'http://127.0.0.1:9'},
    goes: 'by the proxy',
  },
  {report: 'dotnet/runtime#61840', does: 'NO_PROXY of an asterisk', env: proxied('*'), goes: 'direct'},
  {
    report: 'neighbour of dotnet/runtime#61840',
    does: 'an asterisk among hosts',
    env: proxied('localhost, *'),
    goes: 'direct',
  },
  {
    report: 'gajus/global-agent#14, nahi/httpclient#110',
    does: 'a domain behind a dot',
    env: proxied('.shop.test'),
    goes: 'direct',
  },
  {report: 'pnpm/pnpm#14686', does: 'the host itself behind a dot', env: proxied('.api.shop.test'), goes: 'direct'},
  {
    report: 'request/request#2194, docker/docs#9745',
    does: 'a domain behind an asterisk',
    env: proxied('*.shop.test'),
    goes: 'direct',
  },
  {report: 'dotnet/runtime#75199', does: 'a domain alone', env: proxied('shop.test'), goes: 'direct'},
  {
    report: 'neighbour of dotnet/runtime#75199',
    does: 'the end of a name',
    env: proxied('op.test'),
    goes: 'by the proxy',
  },
  {
    report: 'neighbour of pnpm/pnpm#14686',
    does: 'blanks and capitals',
    env: proxied('a.test , API.Shop.Test'),
    goes: 'direct',
  },
  {
    report: 'neighbour of pnpm/pnpm#14686',
    does: 'another port',
    env: proxied('api.shop.test:444'),
    goes: 'by the proxy',
  },
  {
    report: 'neighbour of modelstudioai/cli#50',
    does: 'an empty NO_PROXY beside no_proxy',
    env: {...proxied(''), no_proxy: 'shop.test'},
    goes: 'direct',
  },
]

describe('machine · which requests go through a proxy', () => {
  const names = ['https_proxy', 'http_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()])
  const kept = new Map(names.map((name) => [name, process.env[name]]))
  const {lookup} = dns
  let proxy: Server
  let tunnels: string[]
  before(async () => {
    proxy = createServer().on('connect', ({url}, socket) => {
      tunnels.push(String(url))
      socket.end('HTTP/1.1 407 No\r\n\r\n')
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    // No request of this test leaves the machine.
    const unknown = (...given: unknown[]) =>
      (given.at(-1) as (error: Error) => void)(Object.assign(new Error('unknown'), {code: 'ENOTFOUND'}))
    dns.lookup = unknown as never
  })
  beforeEach(() => {
    tunnels = []
    for (const name of names) delete process.env[name]
  })
  after(() => {
    dns.lookup = lookup
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    proxy.close()
  })

  async function ask(origin: string): Promise<string> {
    const dispatcher = await dispatcherOf({timeoutMs: 2_000})
    const failed = await dispatcher.request({origin, path: '/', method: 'GET'}).catch((error: unknown) => error)
    await dispatcher.destroy()
    return String((failed as {code?: unknown}).code)
  }

  for (const {report, does, env, goes} of rows)
    it(`${does}: ${goes} (${report})`, async () => {
      for (const [name, value] of Object.entries(env))
        process.env[name] = value.replace('PROXY', `http://127.0.0.1:${addressOf(proxy)}`)
      const code = await ask('https://api.shop.test')
      expect(tunnels, code).to.deep.equal(goes === 'direct' ? [] : ['api.shop.test:443'])
      if (goes === 'direct') expect(code).to.equal('ENOTFOUND')
    })

  it('an address of IPv6 in NO_PROXY: direct (neighbour of vercel/vercel#7094)', async () => {
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${addressOf(proxy)}`
    process.env['NO_PROXY'] = 'fe80::9'
    await ask('https://[fe80::9]:9')
    expect(tunnels).to.deep.equal([])
  })
})
