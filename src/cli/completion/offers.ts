import type {Environment} from '../process/io.js'
import {type Profiles, readProfiles} from '../target/profiles.js'
import {chosenProfile, type Folders, type GlobalFlags, jobsFolder} from '../target/settings.js'
import {resolveTarget} from '../target/target.js'
import {placeOf, recentKeys} from './recent.js'
import type {Kind} from './tables.js'

interface Place {
  readonly folders: Folders
  readonly env: Environment
  /** The words before the one that is completed: flags among them choose the target. */
  readonly line: string
}

const targetFlags = ['profile', 'project-key', 'api-url', 'auth-url', 'data'] as const

/** The flags of a line that choose the target, as far as blanks tell words apart. */
function flagsIn(line: string): GlobalFlags {
  const words = line.split(/\s+/).flatMap((word) => (/^--[a-z-]+=/.test(word) ? word.split(/=(.*)/s, 2) : [word]))
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
export async function offersOf(kind: Kind, {folders, env, line}: Place): Promise<readonly string[]> {
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
    case 'customers':
    case 'stores': {
      const flags = flagsIn(line)
      const profiles = readProfiles(folders.config)
      const resolved = resolveTarget({flags, env, folders, chosen: chosenProfile(profiles, flags, env)})
      const recent = recentKeys(folders.cache, placeOf(resolved))
      return kind === 'customers' ? recent.customers : [...new Set([...recent.stores, ...storesOf(profiles)])]
    }
  }
}
