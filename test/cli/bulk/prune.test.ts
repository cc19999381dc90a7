import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {deleteEach, someFailed} from '../../../src/cli/customers/deletion.js'
import type {Writer} from '../../../src/cli/safety/door.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
import {Desk} from '../run.js'

const rows = (...keys: readonly string[]) => `key,email\n${keys.map((key) => `${key},${key}@example.com\n`).join('')}`

describe('cli · customers who are only at the target', () => {
  let desk: Desk
  let file: string
  const diff = (...flags: readonly string[]) => desk.run(['customers', 'diff', file, ...flags])
  const keys = async () => {
    const {json} = await desk.run(['customers', 'query', '--all', '--json'])
    return (json as {results: {key: string}[]}).results.map(({key}) => key).toSorted()
  }

  beforeEach(async () => {
    desk = new Desk()
    const all = join(desk.folder, 'all.csv')
    writeFileSync(all, rows('ann', 'bob', 'cid', 'dan'))
    file = join(desk.folder, 'kept.csv')
    writeFileSync(file, rows('ann', 'cid', 'new'))
    const {json, stderr} = await desk.run(['customers', 'import', all, '--password-mode', 'external-auth', '--json'])
    expect(json, stderr).to.include({created: 4})
  })
  afterEach(() => desk.remove())
  const mode = ['--password-mode', 'external-auth']

  it('are listed by --report-extra, and nothing is written', async () => {
    const {code, stdout, stderr} = await diff('--report-extra', ...mode)
    expect(code, stderr).to.equal(0)
    expect(stdout.match(/^[-+~] key=\w+/gm)).to.have.members(['+ key=new', '- key=bob', '- key=dan'])
    expect(stdout).to.include('2 only at the target')
    const {json} = await diff('--report-extra', '--json', ...mode)
    expect(json).to.include({create: 1, unchanged: 2, extra: 2})
    const narrowed = await diff('--report-extra', '-w', 'key = "dan"', '--json', ...mode)
    expect(narrowed.json).to.have.property('extra', 1)
    expect((await diff('--json', ...mode)).json).to.not.have.property('extra')
    expect(await keys()).to.have.length(4)
  })

  it('are deleted by --prune after a question, with a private backup', async () => {
    const backup = join(desk.folder, 'backup.jsonl')
    const prune = ['--prune', '--max', '2', ...mode]
    expect((await diff(...prune, '--dry-run', '--yes', '--json')).json).to.include({extra: 2, deleted: 0})
    const unasked = await diff(...prune, '--no-input')
    expect(unasked.code, unasked.stderr).to.not.equal(0)
    expect(await keys()).to.have.length(4)
    const {code, json, stderr} = await diff(...prune, '--backup', backup, '--yes', '--json')
    expect(code, stderr).to.equal(0)
    expect(json).to.include({extra: 2, deleted: 2})
    expect(await keys()).to.deep.equal(['ann', 'cid'])
    expect(readFileSync(backup, 'utf8')).to.include('"bob@example.com"').and.include('"dan@example.com"')
    expect(statSync(backup).mode & 0o777).to.equal(0o600)
    expect((await diff(...prune, '--yes', '--json')).json).to.include({extra: 0, deleted: 0})
    const audit = (await desk.run(['audit', 'list', '--json'])).stdout
    expect(audit).to.include('"delete"')
  })

  it('stay where more than --max are there, and where --max is missing', async () => {
    const backup = join(desk.folder, 'none.jsonl')
    const many = await diff('--prune', '--max', '1', '--backup', backup, '--yes', ...mode)
    expect(many.code).to.equal(2)
    expect(many.stderr).to.include('More customers than --max 1 match no row; nothing was deleted')
    expect((await diff('--prune', '--yes', ...mode)).code).to.equal(2)
    expect(existsSync(backup)).to.equal(false)
    expect(await keys()).to.have.length(4)
  })

  it('stay where rows do not say for certain whom they mean', async () => {
    for (const [text, message, ...flags] of [
      ['key,email\n', 'There are no rows'],
      [rows('one', 'two'), 'No row matches a customer of the target'],
      [`${rows('ann')}!,wrong\n`, '1 rows are invalid', '--skip-invalid'],
    ] as const) {
      writeFileSync(file, text)
      const {code, stderr} = await diff('--prune', '--max', '9', '--yes', ...mode, ...flags)
      expect(code, stderr).to.equal(2)
      expect(stderr).to.include(message)
    }
    expect(await keys()).to.have.length(4)
  })

  it('are named where some were deleted and others not', async () => {
    const [bob, dan] = ['bob', 'dan'].map((id) => ({id, version: 1})) as unknown as [Customer, Customer]
    const write = (async ({target}) => {
      if (target === 'dan') throw ApiError.of('ResourceNotFound', {message: 'dan is gone.'})
      return bob
    }) as Writer
    const done = await deleteEach(write, [bob, dan], {
      ...{run: {commandLine: () => ''}, client: {} as never, erase: false, forget: async () => undefined},
    })
    const failure = someFailed('deleted', done)
    expect(failure.message).to.equal('1 deleted, 1 failed.')
    expect(failure.hints).to.deep.equal(['deleted: bob.', 'dan: dan is gone.'])
    expect(failure).to.deep.include({more: {deleted: ['bob']}, details: [{id: 'dan', message: 'dan is gone.'}]})
  })
})
