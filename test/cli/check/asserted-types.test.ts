import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · assertions about custom fields', () => {
  const desk = new Desk()
  const narrow: Record<string, string> = {}
  const fields = {
    lastVisit: '2026-10-30T10:05:00.000Z',
    note: '2026-10-30T10:05:00.000Z',
    shoeSize: 5,
    tags: ['10:30:00'],
  }

  before(async () => {
    desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
    expect(await desk.run(['server', 'seed', 'fixtures/demo', '--project-key', 'demo'])).to.include({code: 0})
    const client = JSON.stringify({name: 'narrow', scope: 'view_customers:demo'})
    const {json} = await desk.run(['api', 'POST', 'api-clients', '--body', client, '--yes', '--json'])
    const {id, secret} = json as {id: string; secret: string}
    Object.assign(narrow, {FRONTDESK_CLIENT_ID: id, FRONTDESK_CLIENT_SECRET: secret})
    const file = join(desk.folder, 'one.jsonl')
    const custom = {type: {typeId: 'type', key: 'profile'}, fields}
    writeFileSync(file, JSON.stringify({key: 'typed', email: 'typed@example.com', custom}))
    const ended = await desk.run(['customers', 'import', file, '--password-mode', 'external-auth', '--yes'])
    expect(ended.code, ended.stderr).to.equal(0)
  })
  after(() => desk.remove())

  const get = (assertion: string, env: Record<string, string> = {}) =>
    desk.run(['customers', 'get', 'key=typed', '--assert', `custom.fields.${assertion}`], {env})

  it('compare a text as its type, whatever it looks like', async () => {
    for (const [assertion, code] of [
      ['lastVisit = 2026-10-30T12:05:00+02:00', 0],
      ['lastVisit < 2026-10-30T11:00:00+02:00', 9],
      ['note = 2026-10-30T10:05:00Z', 9],
      ['note = 2026-10-30T10:05:00.000Z', 0],
      ['note > yesterday', 9],
      ['tags = 10:30:00.000', 9],
      ['tags.0 = 10:30:00', 0],
    ] as const) {
      const {code: ended, stderr} = await get(assertion)
      expect(ended, `${assertion} ${stderr}`).to.equal(code)
    }
  })

  it('are refused with a value of another type, by its name and with an example', async () => {
    for (const [assertion, wanted] of [
      ['lastVisit != yesterday', 'DateTime such as "2026-'],
      ['shoeSize != large', 'Number such as 12.5'],
    ] as const) {
      const {code, stderr} = await get(assertion)
      expect(code, assertion).to.equal(2)
      expect(stderr, assertion).to.include(wanted)
    }
  })

  it('name the scope where the client may not read types, and assert nothing', async () => {
    for (const assertion of ['lastVisit = 2026-10-30T10:05:00.000Z', 'note != x', 'tags = 10:30:00']) {
      const {code, stderr} = await get(assertion, narrow)
      expect(code, assertion).to.equal(4)
      expect(stderr, assertion).to.include('view_types')
    }
    for (const assertion of ['shoeSize = 5.0', 'lastVisit exists', 'note matches ^2026', 'nobody missing']) {
      const {code, stderr} = await get(assertion, narrow)
      expect(code, `${assertion} ${stderr}`).to.equal(0)
    }
  })

  it('of a suite and of quotes are compared alike, those by the client of the target', async () => {
    const file = join(desk.folder, 'suite.json')
    const assert = ['custom.fields.lastVisit = 2026-10-30T12:05:00+02:00', 'custom.fields.note != 2026-10-30T10:05:00Z']
    const suite = {checks: [{name: 'typed', get: {resource: 'customers', ref: 'key=typed'}, assert}]}
    writeFileSync(file, JSON.stringify(suite))
    const run = (env = {}) => desk.run(['check', 'run', file], {env})
    expect((await run()).code).to.equal(0)
    expect((await run(narrow)).code).to.equal(4)
    const quotes = ['quotes', 'query', '--as', 'key=hazel-brandvold', '-w', 'custom(fields(deliverBy is defined))']
    expect((await desk.run([...quotes, '--assert', 'custom.fields.deliverBy < 2026-12-19'])).code).to.equal(0)
    expect((await desk.run([...quotes, '--assert', 'custom.fields.deliverBy < 2026-12-18T00:00:00Z'])).code).to.equal(2)
  })
})
