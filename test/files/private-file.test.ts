import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
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
import {
  createPrivate,
  openPrivate,
  privateFolder,
  readPrivate,
  replacePrivate,
  writeWhole,
} from '../../src/files/private-file.js'
import {appendable} from '../../src/files/private-handle.js'
import {TextFile} from '../../src/transfer/files/private-file.js'

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('files · private files', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-private-'))
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  /** Runs with a umask; no other test of this process runs meanwhile, since nothing here waits. */
  function under<T>(umask: number, task: () => T): T {
    const before = process.umask(umask)
    try {
      return task()
    } finally {
      process.umask(before)
    }
  }

  function append(path: string, text: string): void {
    const file = openPrivate(path, {access: 'append'})
    writeWhole(file, text, path)
    closeSync(file)
  }

  it('S-50 writes for the owner only, whatever the umask says', () => {
    for (const umask of [0, 0o777]) {
      const path = join(folder, `file-${umask}`)
      under(umask, () => {
        replacePrivate(path, 'secret')
        createPrivate(`${path}-new`, 'secret')
        append(`${path}-log`, 'secret')
      })
      for (const end of ['', '-new', '-log']) expect(modeOf(path + end), path + end).to.equal(0o600)
      expect(readPrivate(path)).to.equal('secret')
    }
    under(0, () => replacePrivate(join(folder, 'deep', 'file'), 'secret'))
    expect(modeOf(join(folder, 'deep'))).to.equal(0o700)
    expect(readPrivate(join(folder, 'none'))).to.equal(undefined)
  })

  it('replaces a file as a whole and leaves nothing beside it', () => {
    const path = join(folder, 'file')
    replacePrivate(path, 'one')
    const {ino} = statSync(path)
    replacePrivate(path, 'two')
    expect(readFileSync(path, 'utf8')).to.equal('two')
    expect(statSync(path).ino, 'another file under the name').to.not.equal(ino)
    mkdirSync(join(folder, 'directory'))
    expect(() => replacePrivate(join(folder, 'directory'), 'x'))
      .to.throw()
      .with.property('code', 'StateUnusable')
    expect(readdirSync(folder).sort()).to.deep.equal(['directory', 'file'])
  })

  it('refuses what others can reach, with the line that mends it', () => {
    const path = join(folder, "ada's file")
    for (const [mode, can] of [
      [0o640, 'read'],
      [0o604, 'read'],
      [0o620, 'read or changed'],
      [0o666, 'read or changed'],
    ] as const) {
      writeFileSync(path, 'x')
      chmodSync(path, mode)
      for (const open of [() => readPrivate(path), () => append(path, 'more')]) {
        expect(open)
          .to.throw(`can be ${can} by others (0${mode.toString(8)})`)
          .and.include({name: 'StateError', code: 'StatePermissions', path})
      }
      let remedy = ''
      try {
        readPrivate(path)
      } catch (error) {
        remedy = (error as {remedy: string}).remedy
      }
      execFileSync('sh', ['-c', remedy.replace('Run: ', '')])
      expect(readPrivate(path)).to.equal('x')
    }
  })

  it('refuses the file of another user', () => {
    let path = '/etc/passwd'
    if (process.getuid?.() === 0) {
      path = join(folder, 'theirs')
      writeFileSync(path, 'x', {mode: 0o600})
      chownSync(path, 1, 1)
    }
    expect(() => readPrivate(path))
      .to.throw('belongs to another user')
      .with.property('remedy', `Run: chown ${process.getuid?.()} ${path}`)
  })

  it('neither reads, writes nor appends through a link', () => {
    const target = join(folder, 'target')
    const link = join(folder, 'link')
    writeFileSync(target, 'theirs', {mode: 0o600})
    symlinkSync(target, link)
    const notRegular = {code: 'StateUnusable', message: `${link} is not a regular file.`}
    expect(() => readPrivate(link))
      .to.throw()
      .and.include(notRegular)
    expect(() => append(link, 'ours'))
      .to.throw()
      .and.include(notRegular)
    expect(() => createPrivate(link, 'ours'))
      .to.throw()
      .with.property('code', 'EEXIST')
    expect(readPrivate(link, {followLinks: true}), 'a path that the user named').to.equal('theirs')
    replacePrivate(link, 'ours')
    expect(readFileSync(target, 'utf8')).to.equal('theirs')
    expect(readPrivate(link)).to.equal('ours')
    symlinkSync(join(folder, 'absent'), join(folder, 'dangling'))
    expect(() => append(join(folder, 'dangling'), 'x')).to.throw('not a regular file')
    expect(existsSync(join(folder, 'absent'))).to.equal(false)
  })

  it('refuses a directory and a fifo without waiting for it', () => {
    execFileSync('mkfifo', ['-m', '600', join(folder, 'fifo')])
    for (const name of ['fifo', '.']) {
      expect(() => readPrivate(join(folder, name)), name).to.throw('is not a regular file')
      expect(() => append(join(folder, name), 'x'), name).to.throw('is not a regular file')
    }
  })

  it('makes a folder private, adopts an empty one, and refuses one with content that others can reach', () => {
    const path = join(folder, 'a', 'b')
    under(0, () => privateFolder(path))
    expect([modeOf(join(folder, 'a')), modeOf(path)]).to.deep.equal([0o700, 0o700])
    chmodSync(path, 0o755)
    privateFolder(path)
    expect(modeOf(path)).to.equal(0o700)
    writeFileSync(join(path, 'file'), '')
    for (const mode of [0o777, 0o750]) {
      chmodSync(path, mode)
      expect(() => privateFolder(path))
        .to.throw(`(0${mode.toString(8)})`)
        .and.include({code: 'StatePermissions', remedy: `Run: chmod 700 ${path}`})
    }
  })

  it('refuses a folder that others could put another in the place of', () => {
    const open = join(folder, 'open')
    mkdirSync(join(open, 'ours'), {recursive: true, mode: 0o700})
    chmodSync(open, 0o777)
    expect(() => privateFolder(join(open, 'ours')))
      .to.throw('Everybody can change')
      .with.property('remedy', `Run: chmod o-w ${open}`)
    chmodSync(open, 0o1777)
    privateFolder(join(open, 'ours'))
    symlinkSync(join(open, 'ours'), join(folder, 'link'))
    expect(() => privateFolder(join(folder, 'link'))).to.throw('is not a directory')
    symlinkSync(open, join(folder, 'above'))
    privateFolder(join(folder, 'above', 'ours'))
  })

  it('works where users have no numbers', () => {
    const {getuid} = process
    const path = join(folder, 'file')
    Object.assign(process, {getuid: undefined})
    try {
      replacePrivate(path, 'x')
      append(path, 'y')
      chmodSync(path, 0o644)
      expect(readPrivate(path)).to.equal('xy')
      chmodSync(folder, 0o755)
      expect(privateFolder(folder)).to.equal(folder)
    } finally {
      Object.assign(process, {getuid})
    }
  })
})

describe('files · a full disk', () => {
  it('is an error that names the file, and not the output of the process', async function () {
    if (!existsSync('/dev/full')) this.skip()
    const file = openSync('/dev/full', 'w')
    expect(() => writeWhole(file, 'text', '/a/file'))
      .to.throw()
      .and.include({code: 'ENOSPC', path: '/a/file'})
    closeSync(file)
    const handle = await appendable('/dev/full', true)
    const text = new TextFile(handle)
    await text.write('text')
    const error = await text.flush().catch((cause: unknown) => cause)
    await handle.close()
    expect(error).to.include({code: 'ENOSPC', path: '/dev/full'})
  })
})

describe('files · handles of private files', () => {
  it('leaves the permissions of what is no file, such as a device, alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-handle-'))
    const pipe = join(folder, 'pipe')
    try {
      execFileSync('mkfifo', ['-m', '644', pipe])
      await (await appendable(pipe, true)).close()
      expect(statSync(pipe).mode & 0o777).to.equal(0o644)
    } finally {
      rmSync(folder, {recursive: true, force: true})
    }
  })
})
