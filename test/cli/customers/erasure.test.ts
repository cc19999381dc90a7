import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers erased', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)
  const erased = (id: string) => desk.run(['customers', 'erased', id, '--json'])

  it('tells of an erasure by its receipt, which names nobody', async () => {
    const {id} = await make('canary-person', '--first-name', 'Quillfeather', '--set', 'addresses.0.country=DE')
    await desk.run(['customers', 'update', id, '--set', 'companyName=Canaryworks'])
    expect((await desk.run(['customers', 'find', 'quillf', '-o', 'ids'])).stdout).to.equal(`${id}\n`)
    expect((await erased(id)).code, 'before').to.equal(9)
    const receipt = join(desk.folder, 'receipt.json')
    const argv = [
      'customers',
      'delete',
      id,
      '--erase-personal-data',
      '--receipt',
      receipt,
      '--ticket',
      'GDPR-7',
      '--yes',
    ]
    const {code, stderr} = await desk.run(argv)
    expect(code, stderr).to.equal(0)
    const text = readFileSync(receipt, 'utf8')
    expect(statSync(receipt).mode & 0o777).to.equal(0o600)
    for (const word of ['Quillfeather', 'canary', 'Canaryworks', 'example.com']) expect(text).to.not.include(word)
    const {customers, audit, ticket, stays} = JSON.parse(text)
    const [{found, left, complete}] = customers
    // The server of this machine has no orders: what nobody looked at is no zero.
    expect({ticket, complete, id: customers[0].id}).to.deep.equal({ticket: 'GDPR-7', complete: false, id})
    expect(left.notLookedAt).to.deep.equal(['orders', 'payments', 'reviews', 'shoppingLists'])
    expect(customers[0].remains).to.deep.equal({})
    expect(found).to.include({customer: 1, messages: 2, messagesWithContent: 2})
    expect(left).to.include({customer: 0, messagesWithContent: 0})
    expect(left.documents).to.include({quotes: 0, stagedQuotes: 0, carts: 0, businessUnits: 0})
    expect(stays).to.have.length.greaterThan(2)
    const log = readAudit(join(desk.folder, 'data', '_audit'))
    expect(audit).to.deep.equal({lines: log.lines.length})
    const after = await erased(id)
    expect(after.code).to.equal(0)
    expect(after.json).to.deep.include({erased: true})
    expect((after.json as {records: unknown[]}).records).to.have.length(1)
    expect((await desk.run(['customers', 'erased', id])).stdout).to.include('not looked at: orders, payments, reviews')
    expect((await desk.run(['customers', 'find', 'quillf'])).code).to.equal(3)
  })

  it('is no answer for who was only deleted, or never was', async () => {
    const {id} = await make('only-deleted')
    await desk.run(['customers', 'delete', id, '--yes'])
    const left = await desk.run(['customers', 'erased', id])
    expect(left.code).to.equal(9)
    expect(left.stdout).to.include('NOT erased').and.include('messagesWithContent')
    expect((await erased('00000000-0000-4000-8000-000000000000')).code).to.equal(3)
    expect((await erased('someone@example.com')).code).to.equal(2)
  })

  it('is not said of who is still in the undo files, whatever else is gone', async () => {
    const {id} = await make('kept-by-undo', '--set', 'companyName=Brandvold', '--project-key', 'gone')
    const update = ['customers', 'update', id, '--set', 'companyName=Acme', '--project-key', 'gone']
    expect((await desk.run(update)).code).to.equal(0)
    expect((await desk.run(['server', 'reset', '--project-key', 'gone', '--yes'])).code).to.equal(0)
    const {code, stdout} = await desk.run(['customers', 'erased', id, '--project-key', 'gone'])
    expect(code).to.equal(9)
    expect(stdout).to.include('NOT erased').and.include('the values that updates replaced')
  })

  it('reaches rows that name the customer by a former email', async () => {
    const {id} = await make('renamed')
    const email = 'renamed@example.com'
    const file = join(desk.folder, 'former.csv')
    writeFileSync(file, `key,email,firstName,locale\nanother,${email},Quillfeather,xx-nowhere\n`)
    const argv = ['customers', 'import', file, '--skip-invalid', '--password-mode', 'external-auth', '--yes']
    expect((await desk.run(argv)).code).to.equal(10)
    const journals = () =>
      readdirSync(join(desk.folder, 'data', '_jobs'))
        .map((name) => readFileSync(join(desk.folder, 'data', '_jobs', name), 'utf8'))
        .join('')
    expect(journals()).to.include(email)
    expect((await desk.run(['customers', 'update', id, '--set', 'email=renamed-now@example.com'])).code).to.equal(0)
    const {code, stderr} = await desk.run(['customers', 'delete', id, '--erase-personal-data', '--yes'])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include(file)
    expect(journals()).to.not.include(email).and.not.include('Quillfeather')
  })

  it('reaches saved sessions of the customer, and no others', async () => {
    const [gone, stays] = [await make('session-gone'), await make('session-stays')]
    const sessions = join(desk.folder, 'cache', 'sessions')
    mkdirSync(sessions, {recursive: true, mode: 0o700})
    const save = (name: string, id: string): void =>
      writeFileSync(join(sessions, `${name}.json`), `{"scope":"view_orders:p customer_id:${id}"}\n`, {mode: 0o600})
    save('gone', gone.id)
    save('stays', stays.id)
    const before = await erased(gone.id)
    expect(before.json).to.have.property('kept').include({'saved sessions of the customer, with tokens': 1})
    const {code} = await desk.run(['customers', 'delete', gone.id, '--erase-personal-data', '--yes'])
    expect(code).to.equal(0)
    expect(readdirSync(sessions)).to.deep.equal(['stays.json'])
    expect((await erased(gone.id)).code).to.equal(0)
  })

  it('names the files that commands wrote, while they are there', async () => {
    const {id} = await make('in-files')
    const path = (name: string): string => join(desk.folder, name)
    const {code} = await desk.run(['customers', 'get', id, '--out', path('one.json')])
    expect(code).to.equal(0)
    await desk.run(['customers', 'export', '--out', path('all.csv')])
    await desk.run(['customers', 'export', '--out', path('pseudonyms.csv'), '--anonymize', '7'])
    await desk.run(['customers', 'get', id, '--redact', '--out', path('masked.json')])
    await desk.run(['customers', 'query', '--project-key', 'other', '--out', path('elsewhere.json')])
    await desk.run(['deprecations', 'list', '--out', path('list.json')])
    const argv = ['customers', 'delete', id, '--erase-personal-data', '--backup', path('backup.jsonl'), '--yes']
    const {stderr} = await desk.run(argv)
    expect(stderr).to.include(path('backup.jsonl'))
    rmSync(path('all.csv'))
    const {json} = await erased(id)
    const {copies} = json as {copies: readonly string[]}
    expect(copies.map((copy) => copy.split(' ')[0])).to.deep.equal([path('one.json'), path('backup.jsonl')])
    expect(copies[0]).to.match(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)$/)
  })

  it('refuses a receipt that it could not write, before it erases anything', async () => {
    const {id} = await make('still-there')
    const taken = join(desk.folder, 'taken.json')
    writeFileSync(taken, '')
    for (const path of [taken, join(desk.folder, 'nowhere', 'receipt.json')]) {
      const argv = ['customers', 'delete', id, '--erase-personal-data', '--receipt', path, '--yes']
      expect((await desk.run(argv)).code, path).to.equal(2)
    }
    expect((await desk.run(['customers', 'delete', id, '--receipt', 'x.json', '--yes'])).code).to.equal(2)
    expect((await desk.run(['customers', 'exists', id])).code).to.equal(0)
    expect(existsSync('x.json')).to.equal(false)
  })
})
