import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'
import {exampleOf} from './harness.js'

describe('cli · server faults and clock', () => {
  const desk = new Desk()
  let server: RunningServer
  before(async () => {
    server = await startServer({dataDir: join(desk.folder, 'data'), projectKey: 'local'})
  })
  after(async () => {
    await server.stop()
    desk.remove()
  })

  const query = (...argv: string[]) => desk.run(['customers', 'query', '--json', ...argv])

  it('runs the examples of both in their order', async () => {
    for (const id of ['server:faults', 'server:clock']) {
      for (const at of [0, 1, 2, 3]) {
        const {code, stderr} = await desk.run(await exampleOf(id, at))
        expect(code, `${id} ${at}: ${stderr}`).to.equal(0)
      }
    }
  })

  it('fails as told, shows how often, and works again when cleared', async () => {
    await desk.run([
      'server',
      'faults',
      'set',
      '--status',
      '503',
      '--operation',
      'queryCustomers',
      '--retry-after',
      '0s',
    ])
    await desk.run(['server', 'faults', 'set', '--locked', '--operation', 'createCustomer', '--add'])
    const refused = await query('--retries', '0')
    expect(refused.code).to.equal(7)
    const shown = await desk.run(['server', 'faults'])
    expect(shown.stdout).to.equal(
      'queryCustomers: answers 503, with probability 1; used 1 times\n' +
        'createCustomer: answers LockedField, with probability 1; used 0 times\n',
    )
    expect((await desk.run(['server', 'faults', 'clear'])).stdout).to.equal('no faults\n')
    expect((await query()).code).to.equal(0)
  })

  it('answers with each status that it takes', async () => {
    for (const status of ['429', '500', '502', '503', '504']) {
      await desk.run(['server', 'faults', 'set', '--status', status, '--operation', 'queryCustomers'])
      const {stderr} = await query('--retries', '0', '--trace-http')
      expect(stderr, status).to.include(` ${status} `)
    }
    await desk.run(['server', 'faults', 'clear'])
  })

  it('refuses an operation that does not exist, and lists those that do', async () => {
    await desk.run(['server', 'faults', 'clear'])
    const plan = (operation: string) => JSON.stringify({rules: [{operation, status: 503}]})
    const wrong: [string, string][] = [
      ['updateCustomer', 'updateCustomerById'],
      ['/custmers', '/customers'],
      ['nonsense', 'server faults operations'],
    ]
    for (const [operation, near] of wrong) {
      for (const rule of [
        ['--status', '503', '--operation', operation],
        ['--plan', plan(operation)],
      ]) {
        const {code, stderr} = await desk.run(['server', 'faults', 'set', ...rule])
        expect(code, stderr).to.equal(2)
        expect(stderr).to.include(operation).and.include(near)
      }
    }
    expect((await desk.run(['server', 'faults'])).stdout).to.equal('no faults\n')
    const {json} = await desk.run(['server', 'faults', 'operations', '--json'])
    const {count, results} = json as {count: number; results: {id: string}[]}
    expect(results).to.have.length(count)
    const ids = (await desk.run(['server', 'faults', 'operations', '-o', 'ids'])).stdout.trim().split('\n')
    expect(ids)
      .to.deep.equal(results.map(({id}) => id))
      .and.include.members(['createCustomer', 'requestToken', 'queryMessages'])
    expect(ids).not.to.include('setFaults')
    for (const operation of [ids[0] ?? '', '/customers']) {
      expect((await desk.run(['server', 'faults', 'set', '--status', '503', '--operation', operation])).code).to.equal(
        0,
      )
    }
    await desk.run(['server', 'faults', 'clear'])
  })

  it('takes a plan as it was shown', async () => {
    await desk.run(['server', 'faults', 'set', '--latency', '1ms', '--seed', '5', '--probability', '.5'])
    const {stdout, json} = await desk.run(['server', 'faults', 'show', '--json'])
    const again = await desk.run(['server', 'faults', 'set', '--plan', '-', '--json'], {stdin: stdout})
    expect(again.json).to.deep.equal({...(json as object), drawn: [0]})
    expect((await desk.run(['server', 'faults', 'set', '--plan', '{"rules":[{"status":200}]}'])).code).to.equal(6)
    await desk.run(['server', 'faults', 'clear'])
  })

  it('stops the clock where it is told, moves it on, and gives the real one back', async () => {
    const clock = async (...argv: string[]) => (await desk.run(['server', 'clock', ...argv, '--json'])).json
    expect(await clock('freeze', '--at', '2030-01-02')).to.deep.equal({now: '2030-01-02T00:00:00.000Z', mode: 'frozen'})
    expect(await clock('advance', '--by', '90m')).to.deep.equal({now: '2030-01-02T01:30:00.000Z', mode: 'frozen'})
    expect(await clock('advance', '--by', '1d', '--dry-run')).to.include({now: '2030-01-02T01:30:00.000Z'})
    expect(await clock('real')).to.include({mode: 'real'})
  })

  it('refuses what makes no sense as a usage error, and code 13 where no server runs', async () => {
    for (const argv of [
      ['faults', 'set'],
      ['faults', 'set', '--status', '503', '--probability', '2'],
      ['faults', 'set', '--status', '418'],
      ['faults', 'explode'],
      ['clock', 'advance'],
      ['clock', 'advance', '--by', '5'],
      ['clock', 'show', '--by', '5s'],
      ['clock', 'freeze', '--at', 'tomorrow'],
    ]) {
      expect((await desk.run(['server', ...argv])).code, argv.join(' ')).to.equal(2)
    }
    const elsewhere = ['--data', join(desk.folder, 'none')]
    expect((await desk.run(['server', 'faults', ...elsewhere])).code).to.equal(13)
    expect((await desk.run(['server', 'clock', 'real', ...elsewhere])).code).to.equal(13)
  })
})
