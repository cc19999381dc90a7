import type {Kind} from '../command/completion.js'
import type {Environment} from '../process/io.js'
import {placeOf, recentKeys} from '../run/recent.js'
import {type Profiles, readProfiles} from '../target/profiles.js'
import {chosenProfile, type Folders, type GlobalFlags, jobsFolder} from '../target/settings.js'
import {resolveTarget} from '../target/target.js'

interface Place {
  readonly folders: Folders
  readonly env: Environment
  /** What was typed: flags among the words choose the target. */
  readonly words: readonly string[]
}

const targetFlags = ['profile', 'project-key', 'api-url', 'auth-url', 'data'] as const

/** The flags that choose the target. */
function flagsIn(typed: readonly string[]): GlobalFlags {
  const words = typed.flatMap((word) => (/^--[a-z-]+=/.test(word) ? word.split(/=(.*)/s, 2) : [word]))
  const after = (name: string): string | undefined => {
    const at = words.lastIndexOf(name)
    return at < 0 ? undefined : words[at + 1]
  }
  const given = targetFlags.flatMap((name) => {
    const value = after(`--${name}`) ?? (name === 'profile' ? after('-P') : undefined)
    return value === undefined ? [] : [[name, value]]
  })
  return {...(Object.fromEntries(given) as GlobalFlags), ...(words.includes('--local') ? {local: true} : {})}
}

const storesOf = ({byName}: Profiles): string[] => [...byName.values()].flatMap(({store}) => store ?? [])

/** The values of a kind that this machine knows, for completion. Nothing is asked of a server. */
export async function offersOf(kind: Kind, {folders, env, words}: Place): Promise<readonly string[]> {
  switch (kind) {
    case 'profiles':
      return [...readProfiles(folders.config).byName.keys()]
    case 'sessions': {
      const {allSessions} = await import('../tokens/sessions.js')
      return allSessions(folders.cache).map(({name}) => name)
    }
    case 'jobs': {
      const {jobNames} = await import('../../transfer/jobs/jobs.js')
      return jobNames(jobsFolder(folders))
    }
    case 'message types': {
      const {messageTypes} = await import('../messages/types.js')
      return (await messageTypes()).map(({type}) => type)
    }
    case 'customers':
    case 'stores': {
      const flags = flagsIn(words)
      const profiles = readProfiles(folders.config)
      const resolved = resolveTarget({flags, env, folders, chosen: chosenProfile(profiles, flags, env)})
      const recent = recentKeys(folders.cache, placeOf(resolved))
      return kind === 'customers' ? recent.customers : [...new Set([...recent.stores, ...storesOf(profiles)])]
    }
  }
}
