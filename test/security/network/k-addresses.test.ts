import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {reachOf} from '../../../src/domain/network-reach.js'
import {introspectionUrlProblem} from '../../../src/domain/project/introspection-url.js'
import {type ExternalOAuthOptions, externalIntrospection} from '../../../src/server/external/external-oauth.js'
import {type Resolve, sharedResolver} from '../../../src/server/external/guarded-lookup.js'
import {newProject} from '../../../src/server/local/first-use.js'
import {limits} from '../../../src/work/limits.js'
import {patienceMs} from '../../patience.js'
import {json, openStub, type Stub} from '../shop/authorization-stub.js'
import {openShop, type Shop} from '../shop/shop.js'

/** Asks a server at a URL about a token: `yes`, or the message of the failure. */
async function asking(url: string, options: ExternalOAuthOptions = {}): Promise<string> {
  const external = externalIntrospection({budgetMs: patienceMs, ...options, clock: () => 0, digest: (text) => text})
  const project = {...newProject('shop', ''), externalOAuth: {url, authorizationHeader: 'Bearer secret'}}
  try {
    return (await external(project, 'token', 'trace')) ? 'yes' : 'no'
  } catch (error) {
    return (error as Error).message
  }
}

describe('security · K addresses of authorization servers', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('K14 takes https, or http on this machine, without credentials, fragment or forbidden address', async () => {
    const good = [
      'https://id.example/introspect?tenant=1',
      'http://127.0.0.1:9/x',
      'http://[::1]:9/x',
      'http://localhost/x',
    ]
    for (const url of good) expect(introspectionUrlProblem(url), url).to.equal(undefined)
    const bad = [
      'http://id.example/introspect',
      'http://127.0.0.1.evil.example/x',
      'http://10.0.0.1/x',
      'https://user:pass@id.example/x',
      'https://id.example/x#fragment',
      'ftp://id.example/x',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '/introspect',
      '',
      `https://id.example/${'x'.repeat(3000)}`,
    ]
    for (const url of bad) {
      const externalOAuth = {url, authorizationHeader: 'Bearer secret'}
      const body = {version: 1, actions: [{action: 'setExternalOAuth', externalOAuth}]}
      const answer = await shop.api('POST', '/shop', await shop.token('ADM'), body)
      expect(answer.status, url).to.equal(400)
      expect(answer.body.errors[0]).to.include({code: 'InvalidField', field: 'actions[0].externalOAuth.url'})
    }
  })

  it('K06 believes no answer beyond 64 KiB, though all of it were blanks', async () => {
    const stub = await openStub()
    const padded =
      (length: number): Stub['answer'] =>
      (response) => {
        response.end(`{"active":true,"scope":"view_customers:shop"}${' '.repeat(length)}`)
      }
    stub.answer = padded(60_000)
    expect(await asking(stub.url)).to.equal('yes')
    stub.answer = padded(70_000)
    expect(await asking(stub.url)).to.equal('External OAuth could not be asked.')
    await stub.close()
  })

  it('K08 keeps what was said for one project from another', async () => {
    const stub = await openStub()
    stub.answer = json({active: true, scope: 'view_customers:shop'})
    const external = externalIntrospection({clock: () => 0, digest: (text) => text})
    const externalOAuth = {url: stub.url, authorizationHeader: 'Bearer secret'}
    for (const key of ['shop', 'shop2', 'shop']) {
      await external({...newProject(key, ''), externalOAuth}, 'token', 'trace')
    }
    expect(stub.asked).to.have.lengthOf(2)
    await stub.close()
  })

  it('K14 connects to no name of which one address is forbidden', async () => {
    const resolve: Resolve = (_, __, answer) =>
      answer(null, [
        {address: '127.0.0.1', family: 4},
        {address: '10.0.0.1', family: 4},
      ])
    const external = externalIntrospection({clock: () => 0, digest: (text) => text, resolve})
    const externalOAuth = {url: 'https://id.example:9/x', authorizationHeader: 'Bearer secret'}
    const refused = await external({...newProject('shop', ''), externalOAuth}, 'token', 'trace').catch(
      (error: Error) => error,
    )
    expect((refused as Error).cause).to.have.property('message', 'id.example has a forbidden address')
  })

  it('resolves few names at once, each of them once, and others when those have ended', async () => {
    const ends: (() => void)[] = []
    const resolved = sharedResolver((_, __, answer) => {
      ends.push(() => answer(null, [{address: '192.0.2.1', family: 4}]))
    })
    const waiting = Array.from({length: limits.resolvingNames}, (_, at) => resolved(`slow-${at}.example`))
    const shared = resolved('slow-0.example')
    const refused = (name: string) => resolved(name).then(String, (error: Error) => error.message)
    const outcome = refused('one-more.example')
    expect(ends, 'names that are asked for').to.have.length(limits.resolvingNames)
    expect(await outcome).to.equal('too many names are being resolved')
    ends.forEach((end) => {
      end()
    })
    await Promise.all([...waiting, shared])
    const later = resolved('one-more.example')
    ends.at(-1)?.()
    expect(await later).to.deep.equal([{address: '192.0.2.1', family: 4}])
  })

  it('K14 connects to no link-local address, and to a private one only by choice', async () => {
    const forbidden = [
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '[fe80::1]',
      '[::]',
      '[::ffff:169.254.169.254]',
    ]
    for (const host of forbidden) {
      for (const allowPrivate of [false, true]) {
        const said = await asking(`https://${host}/x`, {allowPrivate})
        expect(said, host).to.equal('External OAuth has a forbidden address.')
      }
    }
    const reaches = {
      '127.0.0.1': 'loopback',
      '::1': 'loopback',
      '::ffff:7f00:1': 'loopback',
      '10.1.2.3': 'private',
      '172.31.0.1': 'private',
      '192.168.0.1': 'private',
      '100.64.0.1': 'private',
      'fd00::1': 'private',
      '172.32.0.1': 'public',
      '2001:db8::1': 'public',
      'fe80::1': 'forbidden',
      'ff02::1': 'forbidden',
      '64:ff9b::a9fe:a9fe': 'forbidden',
      '64:ff9b::7f00:1': 'forbidden',
      '64:ff9b::8.8.8.8': 'public',
      '64:ff9b:1::a9fe:a9fe': 'forbidden',
      '64:ff9b:1:a9fe:a9:fe00::': 'forbidden',
      'fec0::1': 'forbidden',
      'fe80::1%eth0': 'forbidden',
      '2002:a9fe:a9fe::': 'forbidden',
      '2001::a9fe:a9fe': 'forbidden',
      '::a9fe:a9fe': 'forbidden',
      '::ffff:0:169.254.169.254': 'forbidden',
      '100::1': 'forbidden',
      '192.0.0.192': 'forbidden',
      '192.88.99.1': 'forbidden',
      '168.63.129.16': 'forbidden',
      '100.100.100.200': 'forbidden',
      'fd00:ec2::254': 'forbidden',
      '2606:4700::1111': 'public',
      '::ffff:8.8.8.8': 'public',
      '1::2::3': undefined,
      '1:2:3:4:5:6:7:8:9': undefined,
      '::ffff:256.1.1.1': undefined,
      localhost: undefined,
      '256.1.1.1': undefined,
    }
    for (const [address, reach] of Object.entries(reaches)) expect(reachOf(address), address).to.equal(reach)
    expect(await asking('https://10.255.255.1/x')).to.equal('External OAuth has a forbidden address.')
  })
})

describe('security · K certificates of authorization servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-k-'))
  let stub: Stub | undefined
  let cert = ''
  before(async function () {
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    try {
      execFileSync('openssl', [...request, ...subject, '-keyout', keyFile, '-out', certFile], {stdio: 'ignore'})
    } catch {
      this.skip()
    }
    cert = readFileSync(certFile, 'utf8')
    stub = await openStub({cert, key: readFileSync(keyFile, 'utf8')})
    stub.answer = json({active: true, scope: 'view_customers:shop'})
  })
  after(async () => {
    await stub?.close()
    rmSync(folder, {recursive: true, force: true})
  })

  it('K13 refuses a certificate that nobody vouches for, whatever the environment says', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      expect(await asking(stub?.url ?? '')).to.equal('External OAuth could not be asked.')
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
    }
    expect(stub?.asked).to.deep.equal([])
  })

  it('K13 takes one of an authority that it was given, for its own host alone', async () => {
    expect(await asking(stub?.url ?? '', {ca: cert})).to.equal('yes')
    const other = (stub?.url ?? '').replace('localhost', '127.0.0.1')
    expect(await asking(other, {ca: cert})).to.equal('External OAuth could not be asked.')
  })
})
