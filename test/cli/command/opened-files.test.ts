import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {rounds} from '../../rounds.js'
import {everyCommand} from '../safety/every-command.js'

const bin = join(fileURLToPath(new URL('../../../', import.meta.url)), 'bin', 'run.js')

/** The variables that give folders, and where each would find the bait. */
const variables = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_CACHE_HOME: '.cache',
  HOME: '.',
  FRONTDESK_CONFIG_DIR: '.config/frontdesk',
  FRONTDESK_DATA_DIR: '.local/share/frontdesk',
  FRONTDESK_CACHE_DIR: '.cache/frontdesk',
  TMPDIR: 'tmp',
} as const

/** Decides where the profile or the state is: the command refuses it by name. The others are left out with a line. */
const isTarget = (name: string): boolean => !/CACHE|TMP/.test(name)

const kinds = ['relative', 'empty', 'tilde', 'line break', 'unset'] as const

/** What a command opens in the current folder, beside the files that its words name. */
const opens: Readonly<Record<string, RegExp>> = {
  // It checks the folder that it is run in, if it gets no other.
  'deprecations check': /^/,
}

/** What runs in a folder full of files that other programs would read. */
describe('cli · the current folder', () => {
  let folder: string
  let bait: string
  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-bait-'))
    if (spawnSync('strace', ['-qq', '-o', join(folder, 'trace'), 'true']).status !== 0) {
      console.warn('    Processes cannot be traced here: the test of opened files is skipped.')
      this.skip()
    }
    bait = join(folder, 'bait')
    for (const below of ['.', '.config', '.local/share', '.cache', '~/.config', 'tmp/frontdesk-scratch-x'])
      mkdirSync(join(bait, below, 'frontdesk'), {recursive: true, mode: 0o700})
    const profiles = '{"current":"bait","profiles":{"bait":{"projectKey":"bait","apiUrl":"http://127.0.0.1:9"}}}'
    for (const below of ['.', '.config', '~/.config'])
      writeFileSync(join(bait, below, 'frontdesk', 'profiles.json'), profiles, {mode: 0o600})
    for (const name of ['pg', 'pg-native', 'undici', 'frontdesk', 'tslib', 'supports-color']) {
      mkdirSync(join(bait, 'node_modules', name), {recursive: true})
      writeFileSync(join(bait, 'node_modules', name, 'index.js'), 'process.exit(99)')
    }
    for (const name of ['package.json', 'frontdesk.json', '.frontdeskrc', '.npmrc', '.env', 'oclif.manifest.json'])
      writeFileSync(join(bait, name), name.endsWith('json') ? '{"oclif":{"bin":"bait"}}' : 'FRONTDESK_PROFILE=bait\n')
  })
  after(() => rmSync(folder, {recursive: true, force: true}))

  const home = (): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, 'home'),
    FRONTDESK_RETRIES: '0',
  })

  /** Runs a command below strace. Returns the paths of the current folder that it or its children touched. */
  function opened(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const trace = join(folder, 'trace')
    const words = [
      '-f',
      '--seccomp-bpf',
      '-qq',
      '-s',
      '4096',
      '-e',
      'trace=%file',
      '-o',
      trace,
      process.execPath,
      bin,
      ...argv,
    ]
    const {status, stderr, stdout} = spawnSync('strace', words, {cwd: bait, env, timeout: 60_000, input: ''})
    const paths = [...readFileSync(trace, 'utf8').matchAll(/^\d+ +\w+\((?:AT_FDCWD, )?"([^"]*)"/gm)]
      .map(([, path = '']) => relative(bait, resolve(bait, path)))
      .filter((path) => path !== '' && !path.startsWith('..'))
    return {code: status, said: `${stderr}${stdout}`, paths: [...new Set(paths)]}
  }

  function environment(name: keyof typeof variables, kind: (typeof kinds)[number]): Record<string, string> {
    const {[name]: _, ...others} = home()
    if (kind === 'unset') return others
    const value = {relative: variables[name], empty: '', tilde: '~', 'line break': `${join(bait, variables[name])}\n`}[
      kind
    ]
    return {...others, [name]: value}
  }

  for (const kind of kinds.slice(0, rounds(2, kinds.length))) {
    it(`gives nothing to a command where a variable of a folder is ${kind}`, () => {
      const faults: string[] = []
      for (const name of Object.keys(variables) as (keyof typeof variables)[]) {
        const isWrong = kind !== 'unset' && (kind !== 'empty' || /^(HOME|FRONTDESK_(CONFIG|DATA)_DIR)$/.test(name))
        // An empty variable counts as unset, but for those whose absence would be somebody's mistake.
        if (kind === 'empty' && !isWrong && rounds(1, 2) === 1) continue
        const {code, said, paths} = opened(['customers', 'query', '--dry-run'], environment(name, kind))
        if (paths.length > 0) faults.push(`${name} ${kind}: ${paths.join(' ')}`)
        if (isWrong && isTarget(name) && code !== 2) faults.push(`${name} ${kind}: ${code} ${said}`)
        if (isWrong && !said.includes(`${name} `)) faults.push(`${name} ${kind} is not named: ${said}`)
        if (!(isWrong && isTarget(name)) && code !== 0) faults.push(`${name} ${kind}: ${code} ${said}`)
      }
      expect(faults).to.deep.equal([])
    })
  }

  it('gives nothing to any command but what its words name', () => {
    const faults: string[] = []
    const ids = Object.keys(everyCommand).filter((id) => id !== 'desk')
    const tried = rounds(1, 2) === 2 ? ids : ['whoami', 'server status']
    for (const id of tried) {
      const words = everyCommand[id] ?? []
      const dash = words.indexOf('--')
      const argv = [...id.split(' '), ...words.toSpliced(dash < 0 ? words.length : dash, 0, '--dry-run')]
      const {code, said, paths} = opened(argv, home())
      const isNamed = (path: string): boolean =>
        argv.some((word) => [word, word.split('=').at(-1)].includes(path) || path.startsWith(`${word}.`)) ||
        opens[id]?.test(path) === true
      const others = paths.filter((path) => !isNamed(path))
      if (others.length > 0 || code === 99) faults.push(`${id}: ${others.join(' ')} ${code === 99 ? said : ''}`)
    }
    for (const argv of [['--version'], ['help'], ['no-such-command']])
      if (opened(argv, home()).paths.length > 0) faults.push(argv.join(' '))
    expect(faults).to.deep.equal([])
  })
})
