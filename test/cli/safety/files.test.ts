import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {writeOutFile} from '../../../src/cli/output/out-file.js'
import {appendAudit, auditFile} from '../../../src/cli/safety/audit.js'
import {readAudit} from '../../../src/cli/safety/audit-chain.js'
import {changeProfiles, readProfiles} from '../../../src/cli/target/profiles.js'
import {replacePrivate} from '../../../src/files/private-file.js'
import {thisProcess} from '../../../src/files/process-identity.js'

const entry = {phase: 'intent', profile: 'local', project: 'local', command: 'customers update', target: 'x'} as const

describe('cli · files', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-files-'))
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  it('refuses a private file that others can read, with the chmod line', () => {
    const path = join(folder, 'profiles.json')
    writeFileSync(path, '{}')
    chmodSync(path, 0o644)
    expect(() => readProfiles(folder))
      .to.throw('can be read by others')
      .with.property('remedy', `Run: chmod 600 ${path}`)
  })

  it('keeps profiles, and names what is wrong in a broken file', () => {
    const byName = new Map([['a', {projectKey: 'shop'} as const]])
    changeProfiles(folder, () => ({current: 'a', byName}))
    expect(readProfiles(folder)).to.deep.include({current: 'a'})
    expect([...readProfiles(folder).byName.keys()]).to.deep.equal(['local', 'a'])
    replacePrivate(
      join(folder, 'profiles.json'),
      '{"profiles":{"a":{"kind":"remote","projectKey":"shop","protected":"yes"}}}',
    )
    expect(() => readProfiles(folder)).to.throw("'protected' of profile 'a' is not true or false")
    replacePrivate(join(folder, 'profiles.json'), '{"profiles":')
    expect(() => readProfiles(folder))
      .to.throw('is not a JSON object')
      .with.property('ending', 'localState')
  })

  it('never replaces a file with a result unless told to, nor follows a link', () => {
    const path = join(folder, 'result.json')
    writeOutFile(path, 'one', false)
    expect(() => writeOutFile(path, 'two', false)).to.throw('exists already')
    writeOutFile(path, 'three', true)
    expect(readFileSync(path, 'utf8')).to.equal('three')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    expect(() => writeOutFile(join(folder, 'link'), 'x', true)).to.throw('not a regular file')
    expect(existsSync(join(folder, 'elsewhere'))).to.equal(false)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).to.deep.equal([])
  })
})

describe('cli · audit', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-audit-'))
  })
  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  it('chains its lines, also long ones', () => {
    for (let index = 0; index < 5; index++) {
      appendAudit(folder, {...entry, reason: 'x'.repeat(index * 3000)}, 1_700_000_000_000 + index)
    }
    const {lines, broken} = readAudit(folder)
    expect(lines).to.have.length(5)
    expect(broken).to.deep.equal([])
    expect(lines[0]).to.include({command: 'customers update', previous: '0'.repeat(64)})
    expect(statSync(auditFile(folder)).mode & 0o777).to.equal(0o600)
  })

  it('shows a line that was changed, taken out or put in', () => {
    for (let index = 0; index < 4; index++) appendAudit(folder, entry, index)
    const lines = readFileSync(auditFile(folder), 'utf8').trimEnd().split('\n')
    const broken = (changed: readonly string[]): readonly number[] => {
      writeFileSync(auditFile(folder), `${changed.join('\n')}\n`)
      return readAudit(folder).broken
    }
    expect(broken(lines)).to.deep.equal([])
    expect(broken(lines.toSpliced(1, 1))).to.deep.equal([2])
    expect(broken(lines.with(1, lines[1]?.replace('"x"', '"y"') ?? ''))).to.deep.equal([3])
    expect(broken(lines.toSpliced(2, 0, '{"previous":"0"}'))).to.deep.equal([3, 4])
    expect(broken(lines.with(0, 'nonsense'))).to.deep.equal([1, 2])
  })

  it('shows every byte that was changed, and a last line that was taken out', () => {
    for (let index = 0; index < 2; index++) appendAudit(folder, entry, index)
    const whole = readFileSync(auditFile(folder))
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      writeFileSync(auditFile(folder), changed)
      expect(readAudit(folder).broken, `byte ${at}`).to.not.deep.equal([])
    }
    writeFileSync(auditFile(folder), whole.subarray(0, whole.indexOf(0x0a) + 1))
    expect(readAudit(folder).broken).to.deep.equal([1])
    rmSync(auditFile(folder))
    expect(readAudit(folder).broken).to.deep.equal([1])
  })

  it('goes on after a crash before or within a line', () => {
    appendAudit(folder, entry, 0)
    const whole = readFileSync(auditFile(folder))
    const head = readFileSync(join(folder, 'audit.head'), 'utf8').trim()
    writeFileSync(join(folder, 'audit.head'), `${'f'.repeat(64)} ${head}\n`)
    expect(readAudit(folder).broken, 'the line was not begun').to.deep.equal([])
    writeFileSync(auditFile(folder), Buffer.concat([whole, Buffer.from('{"time":')]))
    appendAudit(folder, entry, 1)
    const {lines, broken} = readAudit(folder)
    expect([lines.length, broken], 'only the cut line is broken').to.deep.equal([2, [2]])
  })

  it('takes over the lock of a process that is gone, also if another one has its id now', () => {
    const before = {...thisProcess(), startTime: '1', nonce: 'n'}
    for (const holder of ['999999999', '1', `${process.pid}`, '', JSON.stringify(before)]) {
      writeFileSync(join(folder, 'LOCK'), holder)
      appendAudit(folder, entry, 0)
    }
    expect(readAudit(folder)).to.deep.include({broken: []}).and.property('lines').have.length(5)
    expect(existsSync(join(folder, 'LOCK'))).to.equal(false)
  })

  it('takes over the lock of a process that cannot be seen once it must have been left behind', () => {
    const unseen = JSON.stringify({...thisProcess(), namespace: 'pid:[1]', nonce: 'n'})
    writeFileSync(join(folder, 'LOCK'), unseen)
    utimesSync(join(folder, 'LOCK'), 1, 1)
    appendAudit(folder, entry, 0)
    expect(readAudit(folder).lines).to.have.length(1)
  })

  it('never writes through a link, nor where others could have put a log', () => {
    const elsewhere = join(folder, 'authorized_keys')
    const log = join(folder, '_audit')
    const refused = (why: string, hint: string): void => {
      const write = (): void => appendAudit(log, entry, 0)
      expect(write, why).to.throw(why).and.include({ending: 'localState', code: 'AuditUnwritable'})
      expect(write, why).to.throw().with.property('hints').deep.equal([hint, 'Nothing was sent.'])
    }
    writeFileSync(elsewhere, 'ssh-ed25519 AAAA', {mode: 0o600})
    mkdirSync(log, {mode: 0o700})
    symlinkSync(elsewhere, join(log, 'audit.jsonl'))
    refused('audit.jsonl is not a regular file', 'Move it away, or choose another directory.')
    chmodSync(log, 0o777)
    refused('can be read or changed by others (0777)', `Run: chmod 700 ${log}`)
    chmodSync(log, 0o700)
    chmodSync(folder, 0o777)
    refused('Everybody can change', `Run: chmod o-w ${folder}`)
    chmodSync(folder, 0o700)
    rmSync(join(log, 'audit.jsonl'))
    writeFileSync(join(log, 'audit.jsonl'), '')
    appendAudit(log, entry, 0)
    chmodSync(join(log, 'audit.jsonl'), 0o644)
    refused('can be read by others (0644)', `Run: chmod 600 ${join(log, 'audit.jsonl')}`)
    expect(() => readAudit(log)).to.throw('can be read by others')
    expect(readFileSync(elsewhere, 'utf8')).to.equal('ssh-ed25519 AAAA')
  })

  it('refuses the command if it cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => appendAudit(join(folder, 'file'), entry, 0))
      .to.throw('audit log cannot be written')
      .with.property('ending', 'localState')
  })
})
