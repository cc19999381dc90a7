import type {Chosen, GlobalFlags} from './settings.js'

/** A word as a shell takes it literally. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Flags that say where a command goes. */
const targetFlags = ['project-key', 'api-url', 'auth-url', 'data', 'ca-file'] as const

/**
 * A command line that goes to the same target as this one when it is pasted: with its profile, store and whatever else
 * its flags said of the target. Variables of the environment are the shell's.
 */
export function commandLineFor(words: readonly string[], flags: GlobalFlags, {name}: Chosen, store?: string): string {
  const profile = name.value === 'local' ? (name.origin.startsWith('flag') ? ['--local'] : []) : ['-P', name.value]
  const where = targetFlags.flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, flags[flag]]))
  const key = store ?? flags.store
  const inStore = key === undefined ? [] : ['--store', key]
  const global = flags.global && key === undefined ? ['--global'] : []
  return ['frontdesk', ...words, ...profile, ...where, ...inStore, ...global].map(shellWord).join(' ')
}
