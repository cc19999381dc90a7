import type {Chosen, GlobalFlags} from './settings.js'

/** A word quoted so that a shell passes it on unchanged. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command line of a command that is running, for people. */
export const commandText = (id: string | undefined, argv: readonly string[]): string =>
  ['frontdesk', ...(id ?? '').split(':'), ...argv].map(shellWord).join(' ')

/** Flags that choose the target, beside profile and store. */
const targetFlags = ['project-key', 'api-url', 'auth-url', 'data', 'ca-file'] as const

/**
 * A command line that reaches the same target when it is pasted into a shell: with the profile, the store and the other
 * target flags of this run. Environment variables are left to the shell.
 */
export function commandLineFor(words: readonly string[], flags: GlobalFlags, {name}: Chosen, store?: string): string {
  const profile = name.value === 'local' ? (name.origin.startsWith('flag') ? ['--local'] : []) : ['-P', name.value]
  const where = targetFlags.flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, flags[flag]]))
  const key = store ?? flags.store
  const inStore = key === undefined ? [] : ['--store', key]
  const global = flags.global && key === undefined ? ['--global'] : []
  return ['frontdesk', ...words, ...profile, ...where, ...inStore, ...global].map(shellWord).join(' ')
}
