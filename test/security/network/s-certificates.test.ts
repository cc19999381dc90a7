import {execFileSync} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {createServer} from 'node:http'
import {connect as connectSocket, createServer as createTcpServer, type Server, type Socket} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createServer as createTlsServer, TLSSocket} from 'node:tls'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {probe} from '../../../src/cli/check/endpoint.js'
import {startServer} from '../../../src/index.js'
import {databaseAddressOf} from '../../../src/store/postgres/connection/address.js'
import {Connections} from '../../../src/store/postgres/connection/connections.js'
import {addressOf, clientTo} from '../../client/foreign-server.js'
import {rejection} from '../../store/directory.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What opens connections, in the text of a module. */
const opens =
  /import (?!type)[^\n]*from '(undici|pg|(node:)?(https|tls|http2))'|import\('(undici|pg|(node:)?(https|tls|http2))'\)|\bundici\(\)|\bfetch\(|getBuiltinModule\('(node:)?(https|tls|http2)'/

/** Modules that name these libraries and open no connection of TLS with options of their own. */
const others = new Map([
  ['src/domain/verified-tls.ts', 'makes the options, and loads undici for those who connect'],
  ['src/store/postgres/connection/connections.ts', 'connects as address.ts says'],
  ['src/store/postgres/connection/faults.ts', 'knows errors'],
])

describe('security · certificates', () => {
  const variables = ['NODE_TLS_REJECT_UNAUTHORIZED', 'HTTPS_PROXY'] as const
  const before_ = variables.map((name) => process.env[name])
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-tls-'))
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  /** What a peer was told behind a handshake. */
  let heard = ''
  let port = 0
  let databasePort = 0
  let connections = 0

  const listening = async (server: Server): Promise<number> => {
    servers.push(server)
    server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return addressOf(server)
  }

  before(async () => {
    const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'crt')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const files = ['-keyout', keyFile, '-out', certFile]
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], {stdio: 'ignore'})
    const own = {key: readFileSync(keyFile), cert: readFileSync(certFile)}
    const hear = (secure: TLSSocket) =>
      secure
        .on('error', () => undefined)
        .on('data', (chunk: Buffer) => {
          heard += chunk.toString('latin1')
          secure.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
        })
    const peer = createTlsServer(own, hear).on('connection', () => (connections += 1))
    port = await listening(peer.on('tlsClientError', () => undefined))
    // PostgreSQL's begins with a request for TLS in the clear.
    const database = createTcpServer((socket) =>
      socket.once('data', () => {
        connections += 1
        socket.write('S')
        hear(new TLSSocket(socket, {isServer: true, ...own}))
      }),
    )
    databasePort = await listening(database)
  })
  beforeEach(() => {
    heard = ''
    connections = 0
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    delete process.env['HTTPS_PROXY']
  })
  after(() => {
    for (const [at, name] of variables.entries()) {
      const value = before_[at]
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
    rmSync(folder, {recursive: true})
  })

  const tunnel = () =>
    createServer().on('connect', (_, socket: Socket) => {
      const there = connectSocket(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        there.pipe(socket).pipe(there)
      })
      there.on('error', () => socket.destroy())
    })

  const request = async (url: string): Promise<void> => {
    const client = await clientTo(url)
    await client.raw('GET', '/shop').finally(() => client.close())
  }

  const attempts: Record<string, () => Promise<unknown>> = {
    'a client': () => rejection(request(`https://127.0.0.1:${port}`)),
    'a client behind a proxy': async () => {
      process.env['HTTPS_PROXY'] = `http://127.0.0.1:${await listening(tunnel())}`
      return rejection(request('https://api.corp.test'))
    },
    'a client of a proxy that speaks TLS': () => {
      process.env['HTTPS_PROXY'] = `https://127.0.0.1:${port}`
      return rejection(request('https://api.corp.test'))
    },
    'a check of an endpoint': () => rejection(probe(`https://127.0.0.1:${port}/`, {headers: {authorization: 'x'}})),
    'a fallback': async () => {
      const fallback = {url: `https://127.0.0.1:${port}`, authorization: 'Bearer hush'}
      const server = await startServer({dataDir: ':memory:', projectKey: 'shop', fallback})
      const {clientId, clientSecret} = server.client
      const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      const asked = {method: 'POST', headers: {authorization}}
      const told = await fetch(`${server.authUrl}/oauth/token?grant_type=client_credentials`, asked)
      const {access_token: token} = (await told.json()) as {access_token: string}
      const answer = await fetch(`${server.apiUrl}/shop/orders`, {headers: {authorization: `Bearer ${token}`}})
      await server.stop()
      expect(answer.status).to.equal(502)
    },
    'a database': async () => {
      const url = `postgres://me:hush@127.0.0.1:${databasePort}/x?sslmode=verify-full`
      const database = new Connections(databaseAddressOf(url))
      const error = await rejection(database.read({text: 'SELECT 1'}))
      await database.close()
      return error
    },
  }

  for (const [name, attempt] of Object.entries(attempts)) {
    it(`S-63 lets ${name} tell nothing to a peer that nobody vouches for`, async () => {
      await attempt()
      expect([heard, connections > 0]).to.deep.equal(['', true])
    })
  }

  it('S-63 has one maker of TLS options, which every module that connects uses', () => {
    const files = ['src', 'commands', 'bin'].flatMap((floor) =>
      readdirSync(join(root, floor), {recursive: true, encoding: 'utf8'}).map((name) => join(floor, name)),
    )
    const connecting = files.filter((name) => /\.(m?ts|js|mjs)$/.test(name) && !name.includes('/page/'))
    const wild = connecting.filter((name) => {
      const text = readFileSync(join(root, name), 'utf8').replace(/^ *\*.*$/gm, '')
      return opens.test(text) && !text.includes('verifiedTls(') && !others.has(name)
    })
    expect(wild).to.deep.equal([])
    const ways = connecting.map((name) => readFileSync(join(root, name), 'utf8')).join('\n')
    expect(ways.match(/rejectUnauthorized/g), 'nobody else decides').to.have.length(1)
  })
})
