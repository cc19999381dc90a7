import {createServer, request} from 'node:http'
import {expect} from 'chai'
import {neighboursIn} from '../../../src/cli/customers/find.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {startServer} from '../../../src/index.js'
import {addressOf} from '../../client/foreign-server.js'
import {Desk, root} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers find', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('finds by the beginnings of words, and shows what tells people of the same name apart', async () => {
    const berlin = ['--set', 'addresses.0.country=DE', '--set', 'addresses.0.city=Kiel']
    const {id} = await make('mira-1', '--first-name', 'Mira', '--last-name', 'Solheim', ...berlin)
    await make('mira-2', '--first-name', 'Mira', '--last-name', 'Solheim', '--set', 'dateOfBirth=1990-05-01')
    const both = await desk.run(['customers', 'find', 'SOLH', 'mir'])
    expect(both.code).to.equal(0)
    expect(both.stdout).to.include('mira-1@example.com').and.include('Kiel DE').and.include('1990-05-01')
    for (const words of [['solheim', 'kiel'], [id.slice(0, 8)], ['kiel mira']]) {
      expect((await desk.run(['customers', 'find', ...words, '-o', 'ids'])).stdout, words.join()).to.equal(`${id}\n`)
    }
    for (const columns of [60, 80, 100, 120, 160]) {
      const {stdout} = await desk.run(['customers', 'find', 'solheim'], {terminal: true, columns})
      const shown = stdout.replace(/\u001B\[\d*m/g, '')
      expect(shown, `${columns} columns`)
        .to.match(/\bmira-1\b(?!@)/)
        .and.match(/\bmira-2\b(?!@)/)
      expect(shown.includes(id), `${columns} columns`).to.equal(shown.includes(id.slice(0, 9)))
    }
    const nobody = await desk.run(['customers', 'find', 'solheim', 'oslo'])
    expect(nobody).to.include({code: 3}).and.to.have.property('stderr').that.includes('Leave a word out')
    expect((await desk.run(['customers', 'find', ' - '])).code).to.equal(2)
  })
})

/** Paths that the platform does not have are refused, as are those that the test names. */
describe('cli · customers find · at a server of the platform', () => {
  const desk = new Desk()
  const asked: string[] = []
  let refusal: number | undefined
  let stop: () => Promise<unknown>
  let env: Record<string, string>
  let hazel = ''

  before(async () => {
    const behind = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    const front = createServer((incoming, outgoing) => {
      const path = incoming.url ?? ''
      asked.push(`${incoming.method} ${path.split('?')[0]}`)
      const refused = path.includes('_frontdesk') ? 404 : path.endsWith('/customers/search') ? refusal : undefined
      if (refused !== undefined) {
        outgoing.writeHead(refused, {'content-type': 'application/json'}).end('{}')
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
    const create = async (email: string, ...sets: readonly string[]): Promise<string> => {
      const argv = ['customers', 'create', '--email', email, '--external-auth', '--json']
      const {json} = await desk.run([...argv, ...sets.flatMap((set) => ['--set', set])], {env})
      return (json as {customer: {id: string}}).customer.id
    }
    hazel = await create(
      'hazel.brandvold@example.com',
      'firstName=Hazel',
      'lastName=Brandvold',
      'customerNumber=D-1001',
      'dateOfBirth=1984-02-29',
      'addresses.0.country=DE',
      'addresses.0.city=Berlin',
      'addresses.0.streetName=Uferstraße',
      'addresses.0.streetNumber=17a',
      'addresses.0.phone=+49 (0)30 5550 1170',
    )
    await create('noor@example.com', 'firstName=Noor', 'lastName=van Dijk', 'dateOfBirth=1984-03-29')
  })
  after(async () => {
    await stop()
    desk.remove()
  })
  beforeEach(() => {
    refusal = undefined
    asked.length = 0
  })

  const find = (...argv: string[]) => desk.run(['customers', 'find', ...argv], {env})

  it('finds what people say on the phone in at most three requests', async () => {
    for (const text of [
      'brandv',
      'haz brand',
      'hezel',
      'hazel brandfold',
      'HAZEL.brandvold@EXAMPLE.com',
      'd-1001',
      hazel.slice(0, 8),
      hazel,
      '+49 30 5550 1170',
      '030 5550 1170',
      '03055501170',
      '0049 30 55501170',
      '1984-02-29',
      '29.02.1984',
      '29/2/84',
      'February 29, 1984',
      '29. Februar 1984',
      'hezel 29.2.1984',
    ]) {
      asked.length = 0
      const {json, stderr} = await find(text, '--json')
      expect(json, `${text} ${stderr}`).to.have.nested.property('results[0].id', hazel)
      expect(json, text).to.include({by: 'search', total: 1})
      expect(asked.length, asked.join()).to.be.at.most(3)
      expect(asked.filter((one) => one.includes('_frontdesk'))).to.deep.equal([])
    }
  })

  for (const status of [404, 405, 409]) {
    it(`asks for exact values where a search is answered ${status}, and says how to switch it on`, async () => {
      refusal = status
      for (const text of [
        'HAZEL.brandvold@EXAMPLE.com',
        'd-1001',
        'hazel brandvold',
        'Brandvold, Hazel',
        '29.2.1984',
        'uferstr 17a',
        'Uferstraße 17A',
      ]) {
        const {json} = await find(text, '--json')
        expect(json, text).to.have.nested.property('results[0].id', hazel)
        expect(json, text).to.include({by: 'exact'})
      }
      const {code, stderr} = await find('brandv')
      expect(code).to.equal(3)
      expect(stderr).to.include('changeCustomerSearchStatus').and.include('Merchant Center')
    })
  }
})

describe('cli · customers find, who is close and who was somebody else', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  before(() => desk.run(['server', 'seed', `${root}/fixtures/demo`, ...target]))
  after(() => desk.remove())

  it('says which of them are only close to what was typed', async () => {
    const close = await desk.run(['customers', 'find', 'brandfold', ...target])
    expect(close.stdout).to.include('hazel-brandvold')
    expect(close.stderr).to.include('The result is only close to "brandfold".')
    for (const text of ['brandvold', 'Uferstraße 17a'])
      expect((await desk.run(['customers', 'find', text, ...target])).stderr, text).to.not.include('close to')
  })

  it('calls only those at the end close, whom nobody follows who has the words', () => {
    const results = ['Sophie', 'Sofie', 'Sophie', 'Sofi', 'Sofie'].map((firstName) => ({firstName}) as Customer)
    const closeTo = (text: string) => neighboursIn({limit: 9, count: 5, by: 'search', results}, text)
    expect(['sophie', 'sofie', 'sof', 'zoe', '12'].map(closeTo)).to.deep.equal([2, 0, 0, 5, 0])
  })

  it('looks for fewer words that sound alike where a search could not take all', async () => {
    const tim = ['customers', 'create', '--email', 'tim@cruz.example', '--external-auth', '--key', 'cruz']
    tim.push('--first-name', 'Tim', '--last-name', 'de la Cruz', '--date-of-birth', '1977-03-21')
    const berlin = ['addresses.0.country=DE', 'addresses.0.postalCode=10115', 'addresses.0.city=Berlin']
    const stores = ['stores.0.typeId=store', 'stores.0.key=berlin']
    const set = [...berlin, ...stores].flatMap((one) => ['--set', one])
    expect((await desk.run([...tim, ...set, ...target])).code).to.equal(0)
    for (const text of ['Tim de la Cruz 1977-03-21', 'tim delacruz berlin 10115 21.3.1977', 'tim von der de la cruz'])
      for (const store of [[], ['--store', 'berlin']]) {
        const {json, code} = await desk.run(['customers', 'find', text, '--json', ...target, ...store])
        expect(code, text).to.be.oneOf([0, 3])
        if (text.includes('1977')) expect((json as {results: {key: string}[]}).results[0]?.key, text).to.equal('cruz')
      }
  })

  const keysOf = async (text: string): Promise<readonly unknown[]> => {
    const {json} = await desk.run(['customers', 'find', text, '--json', ...target])
    return ((json as {results?: {key: string}[]}).results ?? []).map(({key}) => key)
  }

  it('finds houses, names that are divided otherwise, and names with wrong letters', async () => {
    for (const [text, key] of [
      ['uferstr 17a', 'hazel-brandvold'],
      ['17A Uferstraße', 'hazel-brandvold'],
      ['9 bis rue des mousses', 'hazel-brandvold'],
      ['rue des Mousses 9BIS', 'hazel-brandvold'],
      ['uferstrasse 17', 'hazel-brandvold'],
      ['hazle brandvold', 'hazel-brandvold'],
      ['brantwolt', 'hazel-brandvold'],
      ['prantfolt', 'hazel-brandvold'],
      ['brand vold', 'hazel-brandvold'],
      ['hazelbrandvold', 'hazel-brandvold'],
      ['ovan pel', 'owen-pell'],
      ['van dyke', 'two-shops'],
      ['vandijk', 'two-shops'],
      ['Quillohara', 'tomas-quill'],
    ] as const)
      expect(await keysOf(text), text).to.satisfy((keys: string[]) => keys[0] === key, text)
  })

  it('does not find who lives elsewhere or is called otherwise', async () => {
    for (const text of ['uferstr 18', 'torstr 17a', 'brant', 'hanzel brandt', 'van dorn', 'owen bell-harrow', 'fold'])
      expect(await keysOf(text), text).to.not.include.members(['hazel-brandvold'])
  })

  it('says of an empty practice project how to fill it', async () => {
    const {code, stderr} = await desk.run(['customers', 'get', 'key=hazel-brandvold', '--project-key', 'void'])
    expect(code).to.equal(3)
    expect(stderr).to.include('server seed demo --project-key void')
    const filled = await desk.run(['customers', 'get', 'key=nobody', ...target])
    expect(filled.stderr).to.not.include('server seed')
  })

  it('finds a customer by a former email, and says so', async () => {
    const moved = ['customers', 'update', 'key=owen-pell', '--set', 'email=o.p@new.example', ...target]
    expect((await desk.run(moved)).code).to.equal(0)
    const {stdout, stderr} = await desk.run(['customers', 'find', 'Owen.Pell@quayside.example', ...target])
    expect(stdout).to.include('o.p@new.example')
    expect(stderr).to.include('Nobody has this email now')
  })
})
