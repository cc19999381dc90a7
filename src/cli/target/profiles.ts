import {rmSync} from 'node:fs'
import {dirname, isAbsolute, join} from 'node:path'
import {defined, isObject} from '../../domain/equal.js'
import {withLock} from '../../files/file-lock.js'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {jsonIn, textAt} from '../output/fields.js'
import {modelOf} from '../output/known-fields.js'
import {column, kept, type View, whole, wrapping} from '../output/view.js'
import {didYouMean, Failure, usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'

// A profile without `apiUrl` is a folder of this machine: `dataDir`, or that of the installation. The links are pages of the shop, with `{token}` in the place of a token. `askCaller`: names of fields, with blanks between them.
const texts = [
  ...(['apiUrl', 'authUrl', 'store', 'dataDir', 'clientId', 'scopes', 'output', 'caFile'] as const),
  ...(['resetLink', 'verifyLink', 'askCaller'] as const),
] as const
const switches = ['readOnly', 'protected', 'requireReason', 'redact'] as const

type Members<Name extends string, Value> = {readonly [Key in Name]?: Value}

/** A named target with its settings, kept in the configuration folder. Secrets are named, never held. */
export interface Profile extends Members<(typeof texts)[number], string>, Members<(typeof switches)[number], boolean> {
  readonly projectKey: string
  /** `env:NAME`, `file:PATH` or `command:LINE`. */
  readonly secret?: {readonly from: string}
}

/** The profile of a first run: embedded, needs no configuration, and cannot be replaced. */
export const localProfile: Profile = {projectKey: 'local'}

export interface Profiles {
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
  const value = jsonIn(text.replace(/^\uFEFF/, ''))
  if (isObject(value)) return value
  throw new Failure('localState', 'ProfilesUnreadable', `The file ${path} is not a JSON object.`, {
    hints: [`Correct it, or move it away and add the profiles again.`],
  })
}

/** A profile whose members have the right types. Throws for any other, since a misread `protected` would be dangerous. */
function checkedProfile(value: unknown, name: string, path: string): Profile {
  const check = (member: string, isRight: boolean, expected: string): void => {
    if (isRight) return
    throw new Failure(
      'localState',
      'ProfilesUnreadable',
      `In ${path}, '${member}' of profile '${name}' is not ${expected}.`,
      {hints: [`Correct the file, or run: frontdesk logout ${name} --remove`]},
    )
  }
  const members = isObject(value) ? value : {}
  const {projectKey, secret} = members
  check('profile', members === value, 'an object')
  check('projectKey', typeof projectKey === 'string', 'text')
  for (const one of texts) check(one, ['string', 'undefined'].includes(typeof members[one]), 'text')
  for (const one of switches) check(one, ['boolean', 'undefined'].includes(typeof members[one]), 'true or false')
  for (const one of ['dataDir', 'caFile'] as const)
    check(one, isAbsolute((members[one] as string | undefined) ?? '/'), 'an absolute path')
  check('secret.from', secret === undefined || (isObject(secret) && typeof secret['from'] === 'string'), 'text')
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

/** Replaces one profile, or adds it. */
export const changeProfile = (configDir: string, name: string, change: (now?: Profile) => Profile): Profiles =>
  changeProfiles(configDir, ({byName, ...rest}) => ({
    ...rest,
    byName: new Map([...byName, [name, change(byName.get(name))]]),
  }))

export const profileView: View = {
  model: async () => modelOf('name', 'current', 'writes', 'projectKey', 'secret', ...texts, ...switches),
  columns: [
    whole('name'),
    kept('current'),
    column('writes'),
    kept('project', 'projectKey'),
    wrapping('address', (profile) => textAt(profile, 'apiUrl') || textAt(profile, 'dataDir') || 'this machine'),
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
    `Add it: frontdesk login ${checkedName(name)}`,
  )
}

const secretFile = (configDir: string, name: string): string => join(configDir, 'secrets', name)

/** The place of a stored secret as a profile names it. */
export const storedPlace = (configDir: string, name: string): string => `file:${secretFile(configDir, name)}`

/** Stores a secret in a file that only its owner can read, and returns the place as a profile names it. */
export function storeSecret(configDir: string, name: string, secret: string): string {
  const path = secretFile(configDir, name)
  privateFolder(dirname(path))
  replacePrivate(path, `${secret}\n`)
  return storedPlace(configDir, name)
}

/** Deletes the secret that `login` stored for a profile. */
export const forgetSecret = (configDir: string, name: string): void =>
  rmSync(secretFile(configDir, name), {force: true})
