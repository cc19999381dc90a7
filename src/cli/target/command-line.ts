import {quoted} from '../../files/file-errors.js'
import {builtIn, type GlobalFlags, isNamed} from './settings.js'
import type {ResolvedTarget} from './target.js'

/** Flags that choose the target, beside profile and store, and the setting of each. */
const targetFlags = [
  ['project-key', 'projectKey'],
  ['api-url', 'apiUrl'],
  ['auth-url', 'authUrl'],
  ['data', 'dataDir'],
] as const

/**
 * A command line that reaches the same target when it is pasted into a shell: with the profile, the store and the other
 * target flags of this run. Where variables replaced the address, project or credentials of the profile, it names the
 * place instead, since `-P` would lead elsewhere; the credentials are left to the shell.
 */
export function commandLineFor(
  words: readonly string[],
  flags: GlobalFlags,
  {origins}: ResolvedTarget,
  store?: string,
): string {
  const name = origins.get('profile') ?? {value: 'local', origin: builtIn}
  const isVariable = (setting: string) => origins.get(setting)?.origin.by === 'environment'
  const isReplaced = replaceable.some(isVariable) && !isNamed(name)
  const profile = name.value === 'local' ? (isNamed(name) ? ['--local'] : []) : isReplaced ? [] : ['-P', name.value]
  const where = targetFlags.flatMap(([flag, setting]) => {
    const counts =
      flags[flag] !== undefined ||
      (isReplaced && setting !== 'dataDir' && (setting !== 'authUrl' || isVariable(setting)))
    const value = counts ? origins.get(setting)?.value : undefined
    return value === undefined ? [] : [`--${flag}`, value]
  })
  const ca = flags['ca-file'] === undefined ? [] : ['--ca-file', flags['ca-file']]
  const key = store ?? flags.store
  const inStore = key === undefined ? [] : ['--store', key]
  const global = flags.global && key === undefined ? ['--global'] : []
  return ['frontdesk', ...words, ...profile, ...where, ...ca, ...inStore, ...global].map(quoted).join(' ')
}

const ofFolder = /frontdesk server (?!migrate-store|store-schema)(?:snapshot )?[a-z]+(?![\w-]| --(?:data|store-url))/g

/** A hint whose commands for the local state name the folder of this run, where a flag has chosen it. */
export function inFolder(hint: string, {profile, data}: Partial<GlobalFlags> = {}): string {
  const words = [...(profile === undefined ? [] : ['-P', profile]), ...(data === undefined ? [] : ['--data', data])]
  return hint.replace(ofFolder, (command) => [command, ...words.map(quoted)].join(' '))
}

const replaceable = ['apiUrl', 'authUrl', 'projectKey', 'clientId', 'token']
