import {expect} from 'chai'
import {administer} from '../../../src/client/local/admin.js'
import {type RunningServer, type ServerOptions, startServer} from '../../../src/server/start.js'
import {liveServer} from '../../../src/store/locator.js'
import {newDirectory, rejection, removeDirectories} from '../../store/directory.js'
import {send} from '../shop/wire.js'

describe('security · S a server that other machines reach', () => {
  const running: RunningServer[] = []
  after(async () => {
    for (const server of running) await server.stop()
    removeDirectories()
  })
  const start = async (options: Partial<ServerOptions>): Promise<RunningServer> => {
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}, ...options})
    running.push(server)
    return server
  }
  const statusAt = async (origin: string, headers: Record<string, string>, path = '/openapi.json') =>
    (await send(origin, {path, headers: {connection: 'close', ...headers}})).status
  const port = ({apiUrl}: RunningServer) => new URL(apiUrl).port

  it('S-01 gives clients an address that they can connect to, also where it listens on all', async () => {
    const everywhere = await start({host: '0.0.0.0', insecureHttp: true})
    expect(everywhere.apiUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await statusAt(everywhere.apiUrl, {host: new URL(everywhere.apiUrl).host})).to.equal(200)
    const six = await start({host: '::', insecureHttp: true})
    expect(six.authUrl).to.match(/^http:\/\/\[::1\]:\d+$/)
    const overFour = `http://127.0.0.1:${port(six)}`
    expect(await statusAt(overFour, {host: `127.0.0.1:${port(six)}`})).to.equal(200)
  })

  it('S-344 takes no seed pack later either, for a new project or a reset', async () => {
    const dataDir = newDirectory()
    await start({host: '0.0.0.0', insecureHttp: true, dataDir})
    const body = {projectKey: 'shop', seedDir: 'fixtures/demo'}
    for (const name of ['addProject', 'resetProject'] as const) {
      const refused = await rejection(administer(dataDir, name, {body}))
      expect(refused, name).to.include({code: 'InvalidSetup'})
    }
  })

  it('S-03 answers under the host of its public address and the allowed ones, with no other port', async () => {
    const dataDir = newDirectory()
    const publicUrl = 'http://shop.test:18080'
    const allowedHosts = ['frontdesk', 'other.test:99', '[::1]:7', 'any.test:*']
    const server = await start({dataDir, host: '0.0.0.0', insecureHttp: true, publicUrl, allowedHosts})
    expect(server).to.include({apiUrl: publicUrl, authUrl: publicUrl})
    const {origin = ''} = (await liveServer(dataDir)) ?? {}
    const own = new URL(origin).port
    for (const host of [
      'shop.test:18080',
      'any.test',
      'any.test:7',
      'ANY.test:49153',
      'frontdesk',
      `frontdesk:${own}`,
      'other.test:99',
      '[::1]:7',
      `localhost:${own}`,
    ]) {
      expect(await statusAt(origin, {host}), host).to.equal(200)
    }
    for (const host of [
      'shop.test',
      `shop.test:${own}`,
      'frontdesk:18080',
      'other.test',
      '[::1]:8',
      `0.0.0.0:${own}`,
    ]) {
      expect(await statusAt(origin, {host}), host).to.equal(403)
    }
    const host = new URL(origin).host
    for (const page of [publicUrl, origin, `http://frontdesk:${own}`, 'http://other.test:99']) {
      expect(await statusAt(origin, {host, origin: page}), page).to.equal(200)
    }
    for (const page of [
      'https://shop.test:18080',
      'http://shop.test',
      `http://other.test:${own}`,
      'http://frontdesk',
    ]) {
      expect(await statusAt(origin, {host, origin: page}), page).to.equal(403)
    }
  })

  it('S-03 takes no pattern and no URL for an allowed host', async () => {
    for (const host of ['*', '*.shop.test', 'http://shop.test', 'shop.test/', 'a b', '', 'shop.test:', '::1']) {
      const refused = await rejection(startServer({dataDir: ':memory:', projectKey: 'shop', allowedHosts: [host]}))
      expect(refused, host).to.include({code: 'InvalidSetup'})
    }
    for (const publicUrl of [
      'shop.test',
      'ftp://shop.test',
      'https://shop.test/a',
      'https://u:p@shop.test',
      'http://@x',
    ]) {
      const refused = await rejection(startServer({dataDir: ':memory:', projectKey: 'shop', publicUrl}))
      expect(refused, publicUrl).to.include({code: 'InvalidSetup'})
    }
  })
})
