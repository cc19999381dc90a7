import {mkdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('creates, shows and names the target of the write on stderr', async () => {
    const argv = [
      'customers',
      'create',
      '--email',
      'first@example.com',
      '--password-stdin',
      '--set',
      'addresses.0.country=DE',
    ]
    const {code, stdout, stderr} = await desk.run(argv, {stdin: 'geheim-123\n'})
    expect(code, stderr).to.equal(0)
    expect(stdout).to.match(/^created first@example\.com: version 1, id [\w-]{36}\n$/)
    expect(stderr).to.equal('target: local (local)\n')
    const shown = await desk.run(['customers', 'get', 'FIRST@example.com'])
    expect(shown.stdout).to.include('first@example.com').and.include('DE').and.not.include('geheim')
  })

  it('sends nothing in a dry run', async () => {
    await make('dry')
    await desk.run(['customers', 'update', 'key=dry', '--set', 'firstName=X', '--dry-run'])
    await desk.run(['customers', 'delete', 'key=dry', '--dry-run'])
    await desk.run(['customers', 'create', '--email', 'never@example.com', '--external-auth', '--dry-run'])
    expect((await desk.run(['customers', 'get', 'key=dry', '--json'])).json).to.have.property('version', 1)
    expect((await desk.run(['customers', 'exists', 'never@example.com'])).code).to.equal(3)
  })

  it('takes an email that is no mail address, and says so', async () => {
    const argv = ['customers', 'create', '--email', 'walk-in', '--set', 'addresses.0.country=UK', '--external-auth']
    const {code, stderr} = await desk.run(argv)
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include("'walk-in' is an email that is no mail address")
    expect(stderr).to.include("'UK' is a country code that ISO 3166 does not have")
  })

  it('says the same of an update, of what it changes alone, and in its dry run', async () => {
    await make('noted')
    const set = (email: string, ...more: string[]) =>
      desk.run(['customers', 'update', 'key=noted', '--set', `email=${email}`, ...more])
    expect((await set('hazel', '--dry-run')).stdout).to.include("'hazel' is an email that is no mail address")
    expect((await set('hazel')).stderr).to.include("'hazel' is an email that is no mail address")
    const later = await desk.run(['customers', 'update', 'key=noted', '--set', 'firstName=Hazel'])
    expect(later.stderr).to.not.include('no mail address')
    expect((await set('hazel@example.com')).stderr).to.not.include('no mail address')
  })

  it('asks once more for an email that is no mail address, and takes it on Enter', async () => {
    const rest = ['', '', '', '', 'geheim-123', 'geheim-123']
    for (const [at, second] of ['', 'still none', 'at@example.com'].entries()) {
      const {code, stderr} = await desk.run(['customers', 'create'], {answers: [`no address ${at}`, second, ...rest]})
      expect(code, stderr).to.equal(0)
      expect(stderr).to.include(`'no address ${at}' is an email that is no mail address; Enter keeps it`)
      const email = second || `no address ${at}`
      expect((await desk.run(['customers', 'exists', `email=${email}`])).code, email).to.equal(0)
    }
  })

  it('shows the existing customer instead of a duplicate only if asked', async () => {
    const {id} = await make('twice')
    const argv = ['customers', 'create', '--email', 'twice@example.com', '--key', 'twice', '--external-auth', '--json']
    const refused = await desk.run(argv)
    expect(refused.code).to.equal(5)
    expect(refused.json).to.have.nested.property('error.code', 'DuplicateField')
    expect((await desk.run([...argv, '--if-not-exists'])).json).to.have.nested.property('customer.id', id)
  })

  it('deletes after a confirmation, with a backup', async () => {
    await make('delete')
    const backup = join(desk.folder, 'backup.jsonl')
    const argv = ['customers', 'delete', 'key=delete', '--backup', backup]
    const silent = await desk.run(argv)
    expect([silent.code, silent.stderr.includes('--yes')]).to.deep.equal([12, true])
    expect(silent.stderr).to.include(`messages and quotes do not come back from ${backup}.`)
    expect((await desk.run(argv, {answers: ['no']})).code).to.equal(2)
    expect((await desk.run(argv, {answers: ['yes']})).stderr).to.include('To bring it back:')
    expect(JSON.parse(readFileSync(backup, 'utf8'))).to.have.property('key', 'delete')
    expect(statSync(backup).mode & 0o777).to.equal(0o600)
    expect((await desk.run(['customers', 'exists', 'key=delete'])).code).to.equal(3)
  })

  it('names the person before and after what cannot be undone, masked where that is asked', async () => {
    const names = ['--first-name', 'Petra', '--last-name', 'Vance']
    await make('petra', ...names)
    const today = new Date().toISOString().slice(0, 10)
    const asked = await desk.run(['customers', 'delete', 'key=petra', '--erase-personal-data'])
    expect(asked.code).to.equal(12)
    expect(asked.stderr).to.include(`Erase Petra Vance <petra@example.com> (created ${today}, 0 quotes, no undo)?`)
    const masked = await desk.run(['customers', 'delete', 'key=petra', '--redact'])
    expect(masked.stderr).to.include('Delete ').and.not.include('Petra').and.not.include('petra@')
    const raw = await desk.run(['api', 'DELETE', 'customers/key=petra?version=1&dataErasure=true'])
    expect(raw.code).to.equal(12)
    expect(raw.stderr).to.include('Erase Petra Vance <petra@example.com>')
    const updated = await desk.run(['customers', 'update', 'key=petra', '--set', 'title=Dr.'])
    expect(updated.stdout).to.include('updated Dr. Petra Vance <petra@example.com>: version 1 → 2')
    const erased = await desk.run(['customers', 'delete', 'key=petra', '--erase-personal-data'], {answers: ['yes']})
    expect(erased.stdout).to.equal(`erased Dr. Petra Vance <petra@example.com>\n`)
    const two = [(await make('petra-1', ...names)).id, (await make('petra-2', ...names)).id]
    const both = await desk.run(['customers', 'delete', ...two])
    expect(both.stderr).to.include(
      'Delete 2 customers: Petra Vance <petra-1@example.com>, Petra Vance <petra-2@example.com>',
    )
  })

  it('names the copies that erasing does not reach', async () => {
    const erase = ['customers', 'delete', 'key=erase', '--erase-personal-data', '--yes']
    await make('erase')
    expect((await desk.run(erase)).stderr).to.not.include('snapshots')
    await make('erase')
    await desk.run(['server', 'snapshot', 'save', 'kept'])
    const damaged = join(desk.folder, 'data', '.damaged-2026')
    mkdirSync(damaged)
    const backup = join(desk.folder, 'erased.jsonl')
    const {code, stderr} = await desk.run([...erase, '--backup', backup])
    expect(code, stderr).to.equal(0)
    const copies = [damaged, join(desk.folder, 'data', '.snapshots', 'kept')]
    expect(stderr).to.include(`Not erased, since these are files of your own that may hold it: ${copies.join(', ')}`)
    expect(stderr).to.include(`, ${backup} (20`)
  })

  it('deletes nothing if more match than was said', async () => {
    await make('bulk-1', '--company', 'Bulk')
    await make('bulk-2', '--company', 'Bulk')
    const where = ['customers', 'delete', '-w', 'companyName = "Bulk"', '--yes']
    expect((await desk.run(where)).code).to.equal(2)
    expect((await desk.run([...where, '--max', '1'])).code).to.equal(2)
    expect((await desk.run([...where, '--max', '2'])).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'key=bulk-1'])).code).to.equal(3)
  })

  it('makes up a password only where it can be handed over', async () => {
    const argv = ['customers', 'create', '--email', 'gen@example.com', '--generate-password', '--json']
    expect((await desk.run(argv)).code).to.equal(2)
    const file = join(desk.folder, 'generated')
    const {code, stdout, stderr} = await desk.run([...argv, '--secret-out', file])
    expect(code, stderr).to.equal(0)
    const password = readFileSync(file, 'utf8').trim()
    expect(password).to.match(/^[a-z]{4,8}(?:-\d\d-[a-z]{4,8}){3}$/)
    expect(stdout + stderr).to.not.include(password)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('guides at a terminal, and ends by showing the equivalent command', async () => {
    const passwords = ['geheim-1', 'geheim-2', 'geheim-1', 'geheim-1']
    const answers = ['', 'guided@example.com', 'Gui', 'Ded', '', 'x', 'guided', ...passwords]
    const {code, stderr, stdout} = await desk.run(['--local', 'customers', 'create'], {answers})
    expect(stderr).to.include('An email has 1 to 320').and.include('A key has 2 to 256')
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('frontdesk customers create --email guided@example.com --first-name Gui')
    expect(stdout + stderr).to.not.include('geheim')
  })

  it('asks nobody in CI and ends with code 12', async () => {
    const {code, stderr} = await desk.run(['--local', 'customers', 'create', '--email', 'ci@example.com'], {
      terminal: true,
      env: {CI: 'true'},
    })
    expect(code).to.equal(12)
    expect(stderr).to.include('--password-stdin')
  })

  it('writes an audit line before and after each write, and never an email or a password', async () => {
    const {lines, unreadable} = readAudit(join(desk.folder, 'data', '_audit'))
    expect(unreadable).to.equal(0)
    expect(lines.filter(({phase}) => phase === 'intent')).to.have.length.greaterThan(5)
    expect(JSON.stringify(lines)).to.not.match(/@example\.com|geheim/)
  })
})
