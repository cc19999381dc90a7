import {expect} from 'chai'
import type {Delivery} from '../../../src/cli/messages/forward.js'
import {Desk} from '../run.js'
import {Ledger} from './ledger.js'

describe('cli · messages forward', () => {
  const desk = new Desk()
  const ledger = new Ledger()
  before(async () => {
    await ledger.up()
    await desk.run(['server', 'seed', 'demo'])
    await desk.run(['customers', 'update', 'key=hazel-brandvold', '--set', 'firstName=Hz', '--yes'])
    await desk.run('customers password-token create key=hazel-brandvold --ttl 30m --show-secret --yes'.split(' '))
  })
  after(async () => {
    await ledger.down()
    desk.remove()
  })
  const run = (...words: string[]) => desk.run(['messages', 'forward', '--to', ledger.url, ...words])

  it('delivers without the value of a token unless it is asked for, and says each delivery', async () => {
    const since = ['--since', '1h', '--once', '--type', 'CustomerPasswordTokenCreated']
    const {code, stdout} = await run(...since, '-o', 'jsonl')
    expect(code).to.equal(0)
    const line = JSON.parse(stdout) as Delivery
    expect(line).to.include({type: 'CustomerPasswordTokenCreated', status: 204, delivered: true})
    expect(line.resource.typeId).to.equal('customer-password-token')
    expect(ledger.bodies.at(-1)).to.include({notificationType: 'Message', projectKey: 'local'})
    expect(ledger.bodies.at(-1)).to.not.have.property('value')
    expect((await run(...since, '--reveal', 'value')).code).to.equal(0)
    expect(ledger.bodies.at(-1)).to.have.property('value').that.is.a('string')
    const {json} = await desk.run('messages list --type CustomerPasswordTokenCreated --json --reveal value'.split(' '))
    expect((json as {results: object[]}).results[0])
      .to.have.property('value')
      .that.is.not.equal('***')
  })

  it('remembers each receiver and choice of types by itself', async () => {
    const before = ledger.accepted.length
    expect((await run('--since', 'last', '--once', '--type', 'CustomerFirstNameSet')).code).to.equal(0)
    expect((await run('--since', 'last', '--once', '--type', 'CustomerFirstNameSet')).code).to.equal(0)
    expect(ledger.accepted).to.have.length(before + 1)
  })

  it('posts to the path and the query of the address', async () => {
    const to = `${ledger.url}?shop=a%20b&key=`
    const words = ['--since', '1h', '--once', '--type', 'CustomerFirstNameSet']
    expect((await desk.run(['messages', 'forward', '--to', to, ...words])).code).to.equal(0)
    expect(ledger.paths.at(-1)).to.equal('/hooks?shop=a%20b&key=')
  })

  it('masks people as the results of the run do', async () => {
    const words = ['--since', '1h', '--once', '--type', 'CustomerFirstNameSet']
    await run(...words, '--redact', '--format', 'platform')
    expect(JSON.stringify(ledger.bodies.at(-1))).not.to.include('Hz')
    await run(...words, '--format', 'cloudevents')
    expect(ledger.bodies.at(-1)).to.include({specversion: '1.0', source: '/local/customers'})
  })

  it('sends nothing in a dry run, to no other machine, and for no type that is unknown', async () => {
    const before = ledger.bodies.length
    const dry = await run('--since', '1h', '--once', '--dry-run')
    expect([dry.code, dry.stdout]).to.deep.equal([0, `would deliver messages of local to ${ledger.url}\n`])
    const elsewhere = await desk.run(['messages', 'forward', '--to', 'https://shop.example/hooks'])
    expect(elsewhere.code).to.equal(2)
    expect(elsewhere.stderr).to.include('--to is not an address of this machine.')
    expect((await run('--once')).code).to.equal(2)
    expect((await run('--since', 'lately')).code).to.equal(2)
    expect((await run('--type', 'CustomerVanished')).code).to.equal(2)
    expect(ledger.bodies).to.have.length(before)
  })
})
