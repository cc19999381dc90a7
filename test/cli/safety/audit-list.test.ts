import {appendFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {actEntries, actsSince} from '../../../src/cli/records/audit-events.js'
import {type AuditEntry, appendAudit, readAudit} from '../../../src/cli/safety/audit.js'
import {Desk} from '../run.js'

const entry = {phase: 'intent', profile: 'local', project: 'p', place: '/p p', command: 'customers update'} as const

describe('cli · audit list', () => {
  let desk: Desk
  let folder: string
  beforeEach(() => {
    desk = new Desk()
    folder = join(desk.folder, 'data', '_audit')
  })
  afterEach(() => desk.remove())

  const add = (second: number, more: Partial<AuditEntry>): void =>
    appendAudit(folder, {...entry, ...more}, Date.UTC(2026, 0, 1, 0, 0, second))
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const since = async (moment: string, ...more: string[]) => {
    const {stdout} = await desk.run(['audit', 'list', '--since', moment, '-o', 'jsonl', ...more])
    const entries = stdout.split('\n').slice(0, -1)
    return entries.map((line) => JSON.parse(line) as {target: string; result: string; time: string; ended?: string})
  }
  const shown = (entries: Awaited<ReturnType<typeof since>>) => entries.map(({target, result}) => `${target} ${result}`)

  it('gives a collector everything from a moment on, that moment included, in the order in which it ended', async () => {
    add(1, {target: 'a'})
    add(2, {target: 'b'})
    add(3, {target: 'b', phase: 'result', result: 'done'})
    expect(shown(await since(at(0)))).to.deep.equal(['a no result', 'b done'])
    expect(shown(await since(at(3)))).to.deep.equal(['b done'])
    expect(shown(await since(at(4)))).to.deep.equal([])
    add(4, {target: 'a', phase: 'result', result: 'done'})
    expect(shown(await since(at(3)))).to.deep.equal(['b done', 'a done'])
    const [last] = await since(at(4))
    expect(last).to.include({time: at(1), ended: at(4)})
    expect(shown(await since(at(0), '--limit', '1'))).to.deep.equal(['b done'])
  })

  it('loses nothing between two collections, even if the clock went back', async () => {
    const moments = [5, 6, 2, 3, 6, 4]
    const collected = new Set<string>()
    let mark = at(0)
    for (const [index, second] of moments.entries()) {
      add(second, {target: `t${index}`})
      for (const found of await since(mark)) {
        collected.add(found.target)
        mark = found.ended ?? found.time
      }
    }
    expect([...collected]).to.deep.equal(moments.map((_, index) => `t${index}`))
  })

  it('has no limit of its own with --since, and 50 without', async () => {
    for (let index = 0; index < 60; index += 1) add(index, {target: `t${index}`})
    expect(await since(at(0))).to.have.length(60)
    const {json} = await desk.run(['audit', 'list', '--json'])
    expect(json).to.include({count: 50, total: 60})
    expect(actEntries(actsSince(readAudit(folder).lines, at(58)))).to.have.length(2)
  })

  it('lists the writes to the target of a profile that is named, and all without', async () => {
    const address = ['--api-url', 'http://localhost:1', '--auth-url', 'http://localhost:1']
    await desk.run(['login', 'production', '--project-key', 'shop', '--no-secret', ...address])
    add(1, {target: 'there', profile: 'other-name', project: 'shop', place: 'http://localhost:1 shop'})
    add(2, {target: 'elsewhere', profile: 'production', project: 'shop', place: 'http://localhost:2 shop'})
    const targets = async (...argv: string[]) =>
      ((await desk.run(['audit', 'list', '--json', ...argv])).json as {results: {target: string}[]}).results.map(
        ({target}) => target,
      )
    expect(await targets('-P', 'production')).to.deep.equal(['there'])
    expect(await targets()).to.deep.equal(['elsewhere', 'there'])
  })

  it('says how many lines it cannot read', async () => {
    add(1, {target: 'a'})

    appendFileSync(join(folder, 'audit.jsonl'), 'nonsense\n')
    const {stderr, stdout} = await desk.run(['audit', 'list', '--fields', 'target', '-o', 'csv'])
    expect(stderr).to.include('1 line of the audit log cannot be read')
    expect(stdout).to.equal('target\r\na\r\n')
  })
})
