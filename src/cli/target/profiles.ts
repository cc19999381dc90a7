import {join} from 'node:path'
import {defined} from '../../domain/equal.js'
import {withLock} from '../../files/file-lock.js'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {modelOf} from '../output/known-fields.js'
import {column, kept, type View, whole} from '../output/view.js'
import {didYouMean, Failure, usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'

/** A named target with its settings, kept in the configuration folder. Secrets are named, never held. */
export interface Profile {
  readonly kind: 'remote' | 'server' | 'embedded'
  readonly projectKey: string
  readonly apiUrl?: string
  readonly authUrl?: string
  readonly store?: string
  /** Where an embedded target keeps its state. */
  readonly dataDir?: string
  readonly clientId?: string
  /** `env:NAME`, `file:PATH`, `command:LINE` or `keyring`. */
  readonly secret?: {readonly from: string}
  readonly scopes?: string
  readonly output?: string
  readonly readOnly?: boolean
  readonly protected?: boolean
  readonly requireReason?: boolean
  readonly redact?: boolean
  readonly caFile?: string
  /** Pages of the shop that take a one-time token, with `{token}` in its place. */
  readonly resetLink?: string
  readonly verifyLink?: string
}

/** The profile of a first run: embedded, needs no configuration, and cannot be replaced. */
export const localProfile: Profile = {kind: 'embedded', projectKey: 'local'}

export interface Profiles {
  /** The profile that `profiles use` chose. */
  readonly current?: string
  readonly byName: ReadonlyMap<string, Profile>
}

const fileOf = (configDir: string): string => join(configDir, 'profiles.json')

/** All profiles, the built-in one among them. */
export function readProfiles(configDir: string): Profiles {
  const path = fileOf(configDir)
  const text = readPrivate(path)
  const byName = new Map([['local', localProfile]])
  if (text === undefined) return {byName}
  const stored = parsed(text, path)
  for (const [name, profile] of Object.entries(stored.profiles ?? {})) {
    if (name !== 'local') byName.set(name, checkedProfile(profile, name, path))
  }
  return typeof stored.current === 'string' ? {current: stored.current, byName} : {byName}
}

function parsed(text: string, path: string): {current?: unknown; profiles?: Record<string, unknown>} {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Falls through to the error below: the text is not JSON.
  }
  throw new Failure('localState', 'ProfilesUnreadable', `The file ${path} is not a JSON object.`, {
    hints: [`Correct it, or move it away and add the profiles again.`],
  })
}

const texts = [
  'apiUrl',
  'authUrl',
  'store',
  'dataDir',
  'clientId',
  'scopes',
  'output',
  'caFile',
  'resetLink',
  'verifyLink',
] as const satisfies readonly (keyof Profile)[]
const switches = ['readOnly', 'protected', 'requireReason', 'redact'] as const satisfies readonly (keyof Profile)[]

/**
 * A profile whose members have the right types. Throws for any other, since a misread `protected` would be dangerous.
 */
function checkedProfile(value: unknown, name: string, path: string): Profile {
  const wrong = (member: string, expected: string): Failure =>
    new Failure(
      'localState',
      'ProfilesUnreadable',
      `In ${path}, '${member}' of profile '${name}' is not ${expected}.`,
      {
        hints: [`Correct the file, or run: frontdesk profiles remove ${name}`],
      },
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('profile', 'an object')
  const members = value as Record<string, unknown>
  if (!['remote', 'server', 'embedded'].includes(String(members['kind']))) {
    throw wrong('kind', 'remote, server or embedded')
  }
  if (typeof members['projectKey'] !== 'string') throw wrong('projectKey', 'text')
  for (const member of texts) if (!['string', 'undefined'].includes(typeof members[member])) throw wrong(member, 'text')
  for (const member of switches) {
    if (!['boolean', 'undefined'].includes(typeof members[member])) throw wrong(member, 'true or false')
  }
  const secret = members['secret'] as {from?: unknown} | undefined
  if (secret !== undefined && typeof secret.from !== 'string') throw wrong('secret.from', 'text')
  return value as Profile
}

/** Reads the profiles, changes them and writes them, while no other process of this machine does. */
export function changeProfiles(configDir: string, change: (profiles: Profiles) => Profiles): Profiles {
  const lock = join(privateFolder(configDir), 'profiles.lock')
  return withLock(lock, () => {
    const changed = change(readProfiles(configDir))
    const own = [...changed.byName].filter(([name]) => name !== 'local')
    const stored = {...defined({current: changed.current}), profiles: Object.fromEntries(own)}
    replacePrivate(fileOf(configDir), `${JSON.stringify(stored, null, 2)}\n`)
    return changed
  })
}

/** The view of `profiles list`. */
export const profileView: View = {
  model: async () => modelOf('name', 'current', 'writes', 'kind', 'projectKey', 'secret', ...texts, ...switches),
  columns: [
    whole('name'),
    kept('current'),
    column('kind'),
    column('writes'),
    column('project', 'projectKey'),
    column('api', 'apiUrl'),
  ],
  id: 'name',
}

const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** A name that is safe in file names and on terminals. */
export function checkedName(name: string): string {
  if (namePattern.test(name)) return name
  throw usage(
    `'${oneLine(name)}' is not a name for a profile.`,
    'Use 1 to 64 lower-case letters, digits, - and _, starting with a letter or digit.',
  )
}

export function profileNamed({byName}: Profiles, name: string): Profile {
  const profile = byName.get(name)
  if (profile) return profile
  throw usage(
    `There is no profile '${name}'.`,
    didYouMean(name, byName.keys()),
    `Profiles: ${[...byName.keys()].join(', ')}.`,
  )
}
