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
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Existing, OutFile} from '../../../src/cli/output/out-file.js'
import {appendAudit, auditFile, readAudit} from '../../../src/cli/safety/audit.js'
import {changeProfiles, readProfiles} from '../../../src/cli/target/profiles.js'
import {replacePrivate} from '../../../src/files/private-file.js'

const entry = {
  phase: 'intent',
  profile: 'local',
  project: 'local',
  place: '/data local',
  command: 'customers update',
  target: 'x',
} as const

function written(path: string, text: string, existing: Existing): void {
  const file = new OutFile(path, existing)
  file.publish(text)
  file.release()
}

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
    written(path, 'one', 'refused')
    expect(() => new OutFile(path, 'refused')).to.throw('exists already')
    written(path, 'three', 'replaced')
    expect(readFileSync(path, 'utf8')).to.equal('three')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    expect(() => new OutFile(join(folder, 'link'), 'replaced')).to.throw('not a regular file')
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

  it('adds private lines behind those before, also long ones', () => {
    for (let index = 0; index < 5; index++) {
      appendAudit(folder, {...entry, reason: 'x'.repeat(index * 3000)}, 1_700_000_000_000 + index)
    }
    const {lines, unreadable} = readAudit(folder)
    expect(unreadable).to.equal(0)
    expect(lines.map(({reason}) => reason?.length)).to.deep.equal([0, 3000, 6000, 9000, 12_000])
    expect(lines[0]).to.include({command: 'customers update', time: '2023-11-14T22:13:20.000Z'})
    expect(statSync(auditFile(folder)).mode & 0o777).to.equal(0o600)
  })

  it('goes on after a crash within a line, wherever it was cut, and counts what cannot be read', () => {
    appendAudit(folder, entry, 0)
    const whole = readFileSync(auditFile(folder), 'utf8')
    for (let length = 1; length < whole.length; length += 1) {
      writeFileSync(auditFile(folder), `${whole}${whole.slice(0, length)}`)
      appendAudit(folder, entry, 1)
      const isWhole = length === whole.length - 1
      const {lines, unreadable} = readAudit(folder)
      expect([lines.length, unreadable], `${length} bytes`).to.deep.equal(isWhole ? [3, 0] : [2, 1])
    }
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
