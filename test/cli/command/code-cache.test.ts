import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {root} from '../run.js'

/** A stand-in for the bundle: its functions say what they are called, and one of them is run by a start. */
const text = `(function (exports) {
  exports.used = () => "used"; exports.other = () => "other"; exports.long = () => "long"; exports.fail = () => { throw new Error("x") };
})`

/** In a process of its own: V8 knows what it has compiled before. */
const program = `
  const {Script} = require('node:vm')
  const given = []
  let isLong = false
  process.uptime = () => isLong ? 2 : 0.02
  require('node:vm').Script = class extends Script {
    constructor(source, options) {
      super(source, options)
      given.push({code: options.cachedData?.length ?? 0, refused: this.cachedDataRejected === true})
    }
  }
  const [load, bundle, command, call] = process.argv.slice(1)
  const {ran, ...exported} = require(load).load(bundle)
  if (command) ran(command)
  isLong = call === 'long'
  let answer
  try { answer = exported[call || 'used']() } catch (error) { answer = error.stack }
  console.log(JSON.stringify({answer, ...given[0]}))`

interface Started {
  readonly answer: string
  /** Bytes of compiled code that were read and handed to V8. */
  readonly code: number
  readonly refused: boolean
}

describe('cli · kept compiled code', () => {
  let folder: string
  let bundle: string
  let env: NodeJS.ProcessEnv
  const compiled = () => join(folder, 'cache', 'compiled')
  const kept = () => readdirSync(compiled()).map((name) => join(compiled(), name))
  const only = (): string => {
    expect(kept()).to.have.length(1)
    return kept()[0] ?? ''
  }
  const start = (command = 'customers get', call = 'used', options: {flags?: string[]; uid?: number} = {}): Started => {
    const {flags = [], ...owner} = options
    const words = [...flags, '-e', program, join(folder, 'bin', 'load.js'), bundle, command, call]
    return JSON.parse(execFileSync(process.execPath, words, {env, encoding: 'utf8', ...owner})) as Started
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-code-'))
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'bin'))
    for (const name of ['load.js', 'code-cache.js', 'package.json']) {
      copyFileSync(join(root, 'bin', name), join(folder, 'bin', name))
    }
    bundle = join(folder, 'bundle.cjs')
    writeFileSync(bundle, text)
    writeFileSync(`${bundle}.digest`, 'd'.repeat(64))
    env = {PATH: process.env['PATH'], HOME: folder, FRONTDESK_CACHE_DIR: join(folder, 'cache')}
  })
  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  it('is written by the first start, for its owner alone, and serves the second', () => {
    expect(start()).to.deep.equal({answer: 'used', code: 0, refused: false})
    expect(statSync(compiled()).mode & 0o777).to.equal(0o700)
    expect(statSync(only()).mode & 0o777).to.equal(0o600)
    const {mtimeMs} = statSync(only())
    const second = start()
    expect(second.code).to.be.greaterThan(100)
    expect(second.refused).to.equal(false)
    expect(statSync(only()).mtimeMs).to.equal(mtimeMs)
  })

  it('is not kept of a run that was long, in which V8 has dropped some', () => {
    start('customers import', 'long')
    expect(start('customers get').code).to.equal(0)
    const {mtimeMs} = statSync(only())
    start('customers import', 'long')
    expect(statSync(only()).mtimeMs).to.equal(mtimeMs)
  })

  it('grows by a command that runs for the first time', () => {
    start('customers get')
    const first = statSync(only()).size
    start('customers query', 'other')
    expect(statSync(only()).size).to.be.greaterThan(first)
  })

  it('is another file for other flags of V8, another content and another place', () => {
    start()
    expect(start('customers get', 'used', {flags: ['--no-opt']}).code).to.equal(0)
    expect(kept()).to.have.length(2)
    writeFileSync(bundle, `${text} `)
    expect(start().code).to.equal(0)
    expect(kept()).to.have.length(3)
    renameSync(bundle, join(folder, 'moved.cjs'))
    renameSync(`${bundle}.digest`, join(folder, 'moved.cjs.digest'))
    bundle = join(folder, 'moved.cjs')
    expect(start().code).to.equal(0)
    expect(start('customers get', 'fail').answer).to.include('moved.cjs:2')
  })

  it('keeps eight files', () => {
    start()
    for (let count = 0; count < 10; count += 1) writeFileSync(join(compiled(), `of-an-earlier-release-${count}`), '')
    start('customers query')
    expect(kept()).to.have.length(8)
    expect(start('customers query').code, 'the newest is among them').to.be.greaterThan(0)
  })

  for (const [what, harm] of [
    ['damaged at its end', (path: string) => writeFileSync(path, flipped(readFileSync(path), 50))],
    [
      'damaged where V8 begins to read',
      (path: string) => writeFileSync(path, flipped(readFileSync(path), bytesOf(path) - 64)),
    ],
    ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -10))],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['readable by others', (path: string) => chmodSync(path, 0o644)],
    ['in a folder that others reach', (path: string) => chmodSync(join(path, '..'), 0o770)],
    ['a second name of another file', (path: string) => linkSync(path, join(folder, 'second'))],
    ['a link', (path: string) => linked(path)],
    ['in a folder that is a link', (path: string) => linked(join(path, '..'))],
    ['a folder', (path: string) => foldered(path)],
  ] as const) {
    it(`is not read when it is ${what}`, () => {
      start()
      harm(only())
      expect(start()).to.deep.equal({answer: 'used', code: 0, refused: false})
    })
  }

  it('is neither read nor written where it is of another user', function () {
    if (process.getuid?.() !== 0) this.skip()
    start()
    chownSync(only(), 54_321, 54_321)
    expect(start('customers query').code).to.equal(0)
    expect(start('customers query').code).to.be.greaterThan(0)
    chownSync(compiled(), 54_321, 54_321)
    expect(start('customers list').code).to.equal(0)
    rmSync(join(folder, 'cache'), {recursive: true})
    chownSync(folder, 54_321, 54_321)
    start()
    expect(lstatSync(join(folder, 'cache'), {throwIfNoEntry: false}), 'a folder in a foreign home').to.equal(undefined)
  })

  it('is done without, silently, where nothing can be written', function () {
    if (process.getuid?.() !== 0) this.skip()
    expect(start('customers get', 'used', {uid: 54_321})).to.deep.equal({answer: 'used', code: 0, refused: false})
    env['FRONTDESK_CACHE_DIR'] = '/dev/null/cache'
    expect(start().answer).to.equal('used')
    env = {...env, FRONTDESK_CACHE_DIR: '', HOME: '/proc'}
    expect(start().answer).to.equal('used')
  })

  it('is left alone while coverage is measured', () => {
    env['NODE_V8_COVERAGE'] = join(folder, 'coverage')
    start()
    expect(lstatSync(join(folder, 'cache'), {throwIfNoEntry: false})).to.equal(undefined)
  })
})

function flipped(bytes: Buffer, offset: number): Buffer {
  const at = bytes.length - offset
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  return bytes
}

const bytesOf = (path: string): number => statSync(path).size

function foldered(path: string): void {
  rmSync(path)
  mkdirSync(path)
}

function linked(path: string): void {
  renameSync(path, `${path}.real`)
  symlinkSync(`${path}.real`, path)
}
