import {homedir} from 'node:os'
import {isAbsolute, join} from 'node:path'
import {usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'

/**
 * The folders of this program. Nothing is read from the folder that somebody happens to be in, which may be another's
 * repository: a variable gives a folder by an absolute path or not at all. `bin/code-cache.js` knows the same of the kept
 * code. Source: XDG Base Directory Specification 0.8, by which an empty variable counts as unset.
 */

/** Absolute paths: configuration, state and audit, caches. */
export interface Folders {
  readonly config: string
  readonly data: string
  readonly cache: string
}

/** Below the home, as oclif has them; dots are Linux's. */
const belowHome = {config: '.config', data: '.local/share', cache: '.cache'} as const

/** What may give a folder, in the order of precedence: the variable, its value, the path below it. */
function* sourcesOf(kind: keyof typeof belowHome, env: Environment): Generator<readonly [string, string, string]> {
  const name = kind.toUpperCase()
  const variables = [
    [`FRONTDESK_${name}_DIR`, ''],
    [`XDG_${name}_HOME`, 'frontdesk'],
    ...(process.platform === 'win32' ? [['LOCALAPPDATA', 'frontdesk'] as const] : []),
  ] as const
  for (const [one, below] of variables) {
    const value = variable(env, one)
    if (value !== undefined) yield [one, value, below]
  }
  const isCacheOfMac = kind === 'cache' && process.platform === 'darwin'
  yield ['HOME', env['HOME'] ?? homedir(), join(isCacheOfMac ? 'Library/Caches' : belowHome[kind], 'frontdesk')]
}

/** Why a path names no folder that is the same wherever the command runs; undefined if it does. */
function unfit(path: string): string | undefined {
  if (path === '') return 'is set and empty'
  if (/[\0-\u001F\u007F]/.test(path)) return 'has a line break or another control character'
  if (/^~/.test(path)) return `is ${oneLine(path)}, and no shell expands the ~ here`
  return isAbsolute(path) ? undefined : `is ${oneLine(path)}, which is no absolute path`
}

/** The folder of a variable or a profile. Throws usage for any but an absolute path. */
export function absoluteFolder(path: string, origin: string): string {
  const why = unfit(path)
  if (why === undefined) return path
  throw usage(`${origin} ${why}.`, 'Give the whole path of the folder; the current one is not looked at.')
}

function folderOf(kind: 'config' | 'data', env: Environment): string {
  for (const [name, value, below] of sourcesOf(kind, env)) return join(absoluteFolder(value, name), below)
  throw new Error('HOME gives a folder')
}

/** Only what can be had again lies there, so that another folder does as well; `ignored` says which variables gave none. */
function cacheOf(env: Environment): {readonly path: string; readonly ignored: readonly string[]} {
  const ignored: string[] = []
  for (const [name, value, below] of sourcesOf('cache', env)) {
    const why = unfit(value)
    if (why === undefined) return {path: join(value, below), ignored}
    ignored.push(`${name} ${why}`)
  }
  return {path: join(folderOf('data', env), '_cache'), ignored}
}

/** The folders by the environment. One that is not absolute throws usage when it is asked for. */
export const foldersOf = (env: Environment): Folders => ({
  get config() {
    return folderOf('config', env)
  },
  get data() {
    return folderOf('data', env)
  },
  get cache() {
    return cacheOf(env).path
  },
})

/** Says which variables do not count, since they give no folder for what can be had again; undefined if all do. */
export function ignoredFolders(env: Environment): string | undefined {
  const temporary = ['TMPDIR', 'TMP', 'TEMP'].flatMap((name) => {
    const why = unfit(variable(env, name) ?? '/')
    return why === undefined ? [] : [`${name} ${why}`]
  })
  const ignored = [...cacheOf(env).ignored.filter((one) => !one.startsWith('HOME ')), ...temporary]
  return ignored.length === 0 ? undefined : `Not used: ${ignored.join('; ')}.`
}
