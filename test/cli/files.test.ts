import {
  chmodSync,
  existsSync,
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
import {appendAudit, auditFile, readAudit} from '../../src/cli/audit.js'
import {writeOutFile} from '../../src/cli/out-file.js'
import {readPrivate, writePrivate} from '../../src/cli/private-files.js'
import {readProfiles, writeProfiles} from '../../src/cli/profiles.js'

const entry = {phase: 'intent', profile: 'local', project: 'local', command: 'customers update', target: 'x'} as const

describe('cli · files', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-files-'))
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  it('S-50 writes private files for their owner only, whatever the umask says', () => {
    const before = process.umask(0)
    try {
      writePrivate(join(folder, 'deep', 'file'), 'secret')
      expect(statSync(join(folder, 'deep', 'file')).mode & 0o777).to.equal(0o600)
      expect(statSync(join(folder, 'deep')).mode & 0o777).to.equal(0o700)
    } finally {
      process.umask(before)
    }
    expect(readPrivate(join(folder, 'deep', 'file'))).to.equal('secret')
    expect(readPrivate(join(folder, 'none'))).to.equal(undefined)
  })

  it('can read back what it wrote under the strictest umask', () => {
    const before = process.umask(0o777)
    try {
      writePrivate(join(folder, 'file'), 'secret')
      expect(statSync(join(folder, 'file')).mode & 0o777).to.equal(0o600)
    } finally {
      process.umask(before)
    }
  })

  it('refuses a private file that others can read, with the chmod line', () => {
    const path = join(folder, 'profiles.json')
    writeFileSync(path, '{}')
    chmodSync(path, 0o644)
    expect(() => readProfiles(folder))
      .to.throw('can be read by others')
      .with.property('hints')
      .deep.equal([`Run: chmod 600 ${path}`])
  })

  it('keeps profiles, and names what is wrong in a broken file', () => {
    const byName = new Map([['a', {kind: 'embedded', projectKey: 'shop'} as const]])
    writeProfiles(folder, {current: 'a', byName})
    expect(readProfiles(folder)).to.deep.include({current: 'a'})
    expect([...readProfiles(folder).byName.keys()]).to.deep.equal(['local', 'a'])
    writePrivate(
      join(folder, 'profiles.json'),
      '{"profiles":{"a":{"kind":"remote","projectKey":"shop","protected":"yes"}}}',
    )
    expect(() => readProfiles(folder)).to.throw("'protected' of profile 'a' is not true or false")
    writePrivate(join(folder, 'profiles.json'), '{"profiles":')
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

  it('takes over the lock of a process that is gone', () => {
    writeFileSync(join(folder, 'LOCK'), '999999999')
    appendAudit(folder, entry, 0)
    expect(readAudit(folder).lines).to.have.length(1)
  })

  it('refuses the command if it cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => appendAudit(join(folder, 'file'), entry, 0))
      .to.throw('audit log cannot be written')
      .with.property('ending', 'localState')
  })
})
