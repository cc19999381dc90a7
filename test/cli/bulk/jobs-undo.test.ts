import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · undo of a job', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const jobsDir = () => join(desk.folder, 'data', '_jobs')
  let count = 0
  async function imported(rows: readonly object[]): Promise<string> {
    count += 1
    const path = join(desk.folder, `${count}.jsonl`)
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
    const {json, stderr} = await desk.run(['customers', 'import', path, '--password-mode', 'external-auth', '--json'])
    expect(stderr).to.include('target:')
    return (json as {job: string}).job
  }
  const undo = (job: string, ...more: string[]) => desk.run(['undo', job, ...more])
  const find = async (key: string) =>
    (await desk.run(['customers', 'get', `key=${key}`, '--json'])).json as {firstName?: string; id: string}

  it('takes the run back that was taken back in part, and not the one before', async () => {
    const earlier = await imported([{key: 'part-x', email: 'part-x@x.de'}])
    const job = await imported([
      {key: 'part-a', email: 'part-a@x.de'},
      {key: 'part-b', email: 'part-b@x.de'},
    ])
    await desk.run(['customers', 'update', 'key=part-b', '--set', 'firstName=Somebody'])
    for (const turn of [1, 2]) {
      const undone = await desk.run(['undo', '--yes', '--json'])
      expect([undone.code, (undone.json as {undoOf: string}).undoOf], `turn ${turn}`).to.deep.equal([10, job])
    }
    await desk.run(['undo', 'key=part-b', '--yes'])
    await desk.run(['customers', 'delete', 'key=part-b', '--yes'])
    expect((await desk.run(['undo', '--yes'])).code).to.equal(0)
    expect((await desk.run(['jobs', 'show', job, '--json'])).json).to.include({state: 'undone'})
    expect((await desk.run(['undo', '--yes', '--json'])).json).to.include({undoOf: earlier})
  })

  it('shows first what it would do, asks with the counts, and takes the job back', async () => {
    await imported([{key: 'und-a', email: 'a@x.de', firstName: 'Before'}])
    const job = await imported([
      {key: 'und-a', email: 'a@x.de', firstName: 'After'},
      {key: 'und-b', email: 'b@x.de'},
      {key: 'und-c', email: 'c@x.de'},
    ])
    await desk.run(['customers', 'update', 'key=und-c', '--set', 'firstName=Somebody'])
    const dry = await undo(job, '--dry-run')
    expect([dry.code, dry.stderr], 'ends as the undo would').to.deep.equal([10, ''])
    expect(dry.stdout).to.include(
      `3 customers of the job ${job}: 1 delete, 1 restore, 0 unchanged, 1 refused\nrefused   customer `,
    )
    const masked = await undo(job, '--dry-run', '--redact')
    expect(masked.stdout).to.match(
      /^3 customers of the job \d{8}-\d{9}-\S{6}: .*\nrefused .* has changed the customer since/,
    )
    expect(masked.stdout).to.not.match(/und-c|c@x\.de/)
    const unasked = await undo(job)
    expect([unasked.code, unasked.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 12 && /--yes/.test(text),
    )
    const declined = await desk.run(['undo', job], {answers: ['no']})
    expect(declined.code).not.to.equal(0)
    expect(declined.stderr).to.include('target: local')
    expect((await find('und-a')).firstName, 'nothing was written').to.equal('After')
    const {code, json} = await undo(job, '--yes', '--ticket', 'CS-1', '--json')
    expect(code).to.equal(10)
    expect(json).to.include({read: 3, deleted: 1, restored: 1, failed: 1, undoOf: job})
    expect((await find('und-a')).firstName).to.equal('Before')
    const audit = (await desk.run(['audit', 'list', '--ticket', 'CS-1', '--json'])).json as {
      results: {result?: string}[]
    }
    expect(audit.results.map(({result}) => result)).to.include('partial')
    const {job: second} = json as {job: string}
    const shown = (await desk.run(['jobs', 'show', second, '--json'])).json
    expect(shown).to.deep.include({state: 'finished', options: {undoOf: job}})
    expect((await undo(second, '--yes')).stderr).to.include(`took back ${job}`)
  })

  it('takes back the last run at this target, and then the one before it', async () => {
    const first = await imported([{key: 'und-chain', email: 'chain@x.de', firstName: 'One'}])
    const second = await imported([{key: 'und-chain', email: 'chain@x.de', firstName: 'Two'}])
    await desk.run(['customers', 'update', 'key=und-chain', '--set', 'firstName=Three'])
    expect((await desk.run(['undo', 'key=und-chain'])).code).to.equal(0)
    const last = await desk.run(['undo', '--yes', '--json'])
    expect(last.json, last.stderr).to.include({restored: 1, failed: 0, undoOf: second})
    expect((await find('und-chain')).firstName).to.equal('One')
    // As a kill leaves it: the undo has no end, and the same command goes on with it.
    const journal = join(jobsDir(), `${(last.json as {job: string}).job}.jsonl`)
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n')
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`)
    const resumed = await desk.run(['undo', '--yes', '--json'])
    expect(resumed.json, resumed.stderr).to.include({restored: 1, undoOf: second})
    const other = await desk.run(['undo', '--yes', '--json'])
    expect(other.json, other.stderr).to.include({deleted: 1, failed: 0, undoOf: first})
    const none = await desk.run(['undo', '--yes', '--project-key', 'nowhere'])
    expect([none.code, none.stderr.includes('no run at this target')]).to.deep.equal([3, true])
  })

  it('says when there is nothing left to take back, and refuses another target', async () => {
    const job = await imported([{key: 'und-d', email: 'd@x.de'}])
    expect((await undo(job, '--yes', '--project-key', 'other')).code).to.equal(2)
    const {code, stdout} = await undo(job, '--yes')
    expect([code, stdout]).to.satisfy(
      ([ended, text]: [number, string]) => ended === 0 && text.startsWith('1 row: 1 deleted\n'),
    )
    const again = await undo(job, '--yes', '--json')
    expect(again.code).to.equal(3)
    expect(again.json).to.have.nested.property('error.code', 'NothingToUndo')
  })

  it('keeps nothing of a customer who is erased', async () => {
    await imported([{key: 'und-e', email: 'e@x.de', firstName: 'Secretname'}])
    const job = await imported([{key: 'und-e', email: 'e@x.de', firstName: 'Other'}])
    const kept = () => readdirSync(jobsDir()).filter((name) => name.startsWith(job) && name.endsWith('.before.jsonl'))
    const text = () =>
      kept()
        .map((name) => readFileSync(join(jobsDir(), name), 'utf8'))
        .join('')
    expect(text()).to.include('Secretname')
    const {id} = await find('und-e')
    await desk.run(['customers', 'delete', id, '--erase-personal-data', '--yes'])
    expect(text()).not.to.match(new RegExp(`Secretname|${id}`))
    const {json} = await undo(job, '--yes', '--json')
    expect(json).to.include({restored: 0, failed: 1})
  })
})
