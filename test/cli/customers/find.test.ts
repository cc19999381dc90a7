import {createServer, request} from 'node:http'
import {expect} from 'chai'
import {startServer} from '../../../src/index.js'
import {addressOf} from '../../client/foreign-server.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers find', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('finds by parts of words, and shows what tells people of the same name apart', async () => {
    const berlin = ['--set', 'addresses.0.country=DE', '--set', 'addresses.0.city=Kiel']
    const {id} = await make('mira-1', '--first-name', 'Mira', '--last-name', 'Solheim', ...berlin)
    await make('mira-2', '--first-name', 'Mira', '--last-name', 'Solheim', '--set', 'dateOfBirth=1990-05-01')
    const both = await desk.run(['customers', 'find', 'SOLH', 'mir'])
    expect(both.code).to.equal(0)
    expect(both.stdout).to.include('mira-1@example.com').and.include('Kiel DE').and.include('1990-05-01')
    for (const words of [['solheim', 'kiel'], [id.slice(0, 8)], ['kiel mira']]) {
      expect((await desk.run(['customers', 'find', ...words, '-o', 'ids'])).stdout, words.join()).to.equal(`${id}\n`)
    }
    const nobody = await desk.run(['customers', 'find', 'solheim', 'oslo'])
    expect(nobody).to.include({code: 3}).and.to.have.property('stderr').that.includes('Leave one out')
    expect((await desk.run(['customers', 'find', ' - '])).code).to.equal(2)
  })
})

describe('cli · customers find · a server without a search', () => {
  const desk = new Desk()
  const asked: string[] = []
  let stop: () => Promise<unknown>
  let env: Record<string, string>
  let hazel = ''

  /** A server in front of ours that knows no path of ours, as the platform does not. */
  before(async () => {
    const behind = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    const front = createServer((incoming, outgoing) => {
      const path = incoming.url ?? ''
      asked.push(path)
      if (path.includes('_frontdesk')) {
        outgoing.writeHead(404).end('{}')
        return
      }
      const {method} = incoming
      const headers = {...incoming.headers, host: new URL(behind.apiUrl).host}
      const passed = request(`${behind.apiUrl}${path}`, {method, headers}, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    env = {
      FRONTDESK_API_URL: `http://127.0.0.1:${addressOf(front)}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: behind.client.clientId,
      FRONTDESK_CLIENT_SECRET: behind.client.clientSecret,
    }
    stop = async () => {
      front.closeAllConnections()
      front.close()
      await behind.stop()
    }
    const names = ['--first-name', 'Hazel', '--last-name', 'Brandvold', '--customer-number', 'D-1001']
    const argv = [
      'customers',
      'create',
      '--email',
      'hazel.brandvold@example.com',
      ...names,
      '--external-auth',
      '--json',
    ]
    const {json} = await desk.run([...argv, '--set', 'addresses.0.country=DE', '--set', 'addresses.0.city=Berlin'], {
      env,
    })
    hazel = (json as {customer: {id: string}}).customer.id
  })
  after(async () => {
    await stop()
    desk.remove()
  })

  const find = (...argv: string[]) => desk.run(['customers', 'find', ...argv], {env})

  it('is asked for exact values in the spellings that are likely', async () => {
    for (const text of ['HAZEL.brandvold@EXAMPLE.com', 'd-1001', 'hazel brandvold', 'Brandvold, Hazel', 'BRANDVOLD']) {
      const {json} = await find(text, '--json')
      expect(json, text).to.have.nested.property('results[0].id', hazel)
    }
  })

  it('is read through only with --deep, which says what it has read', async () => {
    const exact = await find('brandv')
    expect(exact.code).to.equal(3)
    expect(exact.stderr).to.include('--deep')
    asked.length = 0
    const deep = await find('brandv', 'berl', '--deep', '-o', 'ids')
    expect(deep.code, deep.stderr).to.equal(0)
    expect(deep.stdout).to.equal(`${hazel}\n`)
    expect(deep.stderr).to.match(/\d+ customers read, 1 found/)
    expect(asked.filter((path) => path.includes('_frontdesk'))).to.have.length(1)
    const none = await find('nobodyhere', '--deep', '--max-read', '1')
    expect(none.code).to.equal(3)
    expect(none.stderr).to.include('--max-read')
  })
})
