import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import {createServer as createTlsServer} from 'node:https'
import {connect as connectSocket, type Socket} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {dispatcherOf} from '../../src/client/transports/dispatcher.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'
import {addressOf, clientTo} from './foreign-server.js'

const openssl = (...argv: string[]) => execFileSync('openssl', argv, {stdio: 'ignore'})

/** An authority of its own, and a certificate of it for the API and for a proxy on this machine. */
function certificates(folder: string) {
  const at = (name: string) => join(folder, name)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', '/CN=Company', '-keyout', at('ca.key'), '-out', at('ca.crt'))
  openssl('req', ...key.slice(0, -2), '-subj', '/CN=api', '-keyout', at('key'), '-out', at('csr'))
  writeFileSync(at('ext'), 'subjectAltName=DNS:api.corp.test,IP:127.0.0.1')
  const sign = ['x509', '-req', '-in', at('csr'), '-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-CAcreateserial']
  openssl(...sign, '-days', '2', '-extfile', at('ext'), '-out', at('crt'))
  return {caFile: at('ca.crt'), key: readFileSync(at('key')), cert: readFileSync(at('crt'))}
}

describe('client · behind a proxy', () => {
  const variables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy']
  const before_ = new Map(variables.map((name) => [name, process.env[name]]))
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  let tls: ReturnType<typeof certificates>
  let apiPort = 0
  /** What a proxy answers to CONNECT; 200 opens the way. */
  let status = 200
  let tunnels = 0

  async function listening(server: Server): Promise<number> {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return addressOf(server)
  }
  const withTunnels = (server: Server): Server =>
    server.on('connect', (_, socket: Socket) => {
      tunnels += 1
      sockets.add(socket)
      socket.on('error', () => undefined)
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      const there = connectSocket(apiPort, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        there.pipe(socket).pipe(there)
      })
      sockets.add(there)
      there.on('error', () => socket.destroy())
    })

  before(async () => {
    tls = certificates(newDirectory())
    apiPort = await listening(createTlsServer(tls, (_, response) => response.end('{"version":1}')) as unknown as Server)
  })
  beforeEach(() => {
    for (const name of variables) delete process.env[name]
    status = 200
    tunnels = 0
  })
  after(() => {
    for (const [name, value] of before_) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
    removeDirectories()
  })

  async function ask(caFile?: string) {
    const client = await clientTo('https://api.corp.test', caFile === undefined ? {} : {caFile})
    return client.raw('GET', '/shop').finally(() => client.close())
  }

  it('trusts the authority of --ca-file for the target', async () => {
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listening(withTunnels(createServer()))}`
    expect(await rejection(ask())).to.include({trouble: 'certificate', sent: false})
    expect((await ask(tls.caFile)).body).to.deep.equal({version: 1})
    expect(tunnels).to.equal(2)
  })

  it('trusts it for a proxy of https too', async () => {
    const proxy = withTunnels(createTlsServer(tls) as unknown as Server)
    process.env['HTTPS_PROXY'] = `https://127.0.0.1:${await listening(proxy)}`
    expect((await ask(tls.caFile)).body).to.deep.equal({version: 1})
    expect(tunnels).to.equal(1)
  })

  it('says what the proxy wants, and that nothing was sent', async () => {
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listening(withTunnels(createServer()))}`
    status = 407
    const refused = (await rejection(ask(tls.caFile))) as Error
    expect(refused).to.include({trouble: 'proxy', sent: false})
    expect(refused.message).to.include('the proxy wants credentials (407)').and.include('HTTPS_PROXY')
    status = 503
    expect(((await rejection(ask(tls.caFile))) as Error).message).to.include('the proxy answered 503')
  })

  it('names a variable that is no address of a proxy, and not its password', async () => {
    for (const name of variables.slice(0, 4))
      for (const value of ['http://ada:sec%zzret@proxy.test:3128', 'proxy.test:3128', 'socks5://proxy.test', '%zz']) {
        for (const one of variables) delete process.env[one]
        process.env[name] = value
        const error = await rejection(dispatcherOf({}))
        expect(error, `${name} ${value}`).to.include({
          ending: 'usage',
          message: `${name} is not the address of a proxy.`,
        })
      }
  })
})
