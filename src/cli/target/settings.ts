import {createHash} from 'node:crypto'
import {join, resolve} from 'node:path'
import type {FlagValues, globalFlags} from '../input/flags.js'
import {usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {absoluteFolder, type Folders} from './folders.js'
import {checkedName, type Profile, type Profiles, profileNamed} from './profiles.js'

/** Where a value came from: a flag or a variable by its name, a profile by its name, or what stood in for all of them. */
export interface Origin {
  readonly by: 'flag' | 'environment' | 'profile' | 'argument' | 'default'
  readonly name: string
}

/** A value and its origin, for `whoami --origins`. */
export interface WithOrigin<T> {
  readonly value: T
  readonly origin: Origin
}

/** An origin for people: `--api-url`, `FRONTDESK_API_URL`, `profile staging`. */
export function originText({by, name}: Origin): string {
  if (by === 'flag') return `--${name}`
  return by === 'profile' ? `profile ${name}` : name
}

export type GlobalFlags = FlagValues<typeof globalFlags>

// Folders beside the projects: no project key starts with an underscore, so the names cannot collide.

export const auditFolder = ({data}: Folders): string => join(data, '_audit')
export const jobsFolder = ({data}: Folders): string => join(data, '_jobs')
/** Where it is kept which files of the user's own commands wrote. */
export const filesFolder = ({data}: Folders): string => join(data, '_files')
/** Where it is kept how far runs with `--since` came. */
export const sinceFolder = ({data}: Folders): string => join(data, '_since')
/** What tells a list of values from others, for names of files and keys. */
export const digestOf = (values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex')
export const tokenCacheFolder = ({cache}: Folders): string => join(cache, 'tokens')

/** The profile in use, and the variables that count beside it. */
export interface Chosen {
  readonly name: WithOrigin<string>
  readonly profile: Profile
  readonly env: Environment
  /** Variables that are set and do not count, since the command line names the target. */
  readonly ignored: readonly string[]
}

const targetVariables = [
  ...(['FRONTDESK_PROFILE', 'FRONTDESK_API_URL', 'FRONTDESK_AUTH_URL', 'FRONTDESK_PROJECT_KEY'] as const),
  ...(['FRONTDESK_STORE', 'FRONTDESK_DATA_DIR', 'FRONTDESK_CONFIG_DIR'] as const),
  ...(['FRONTDESK_CLIENT_ID', 'FRONTDESK_CLIENT_SECRET', 'FRONTDESK_TOKEN'] as const),
]

/**
 * Throws usage for a variable of the target that is set and empty: CI services give empty texts for secrets that are
 * missing, and a command would go to another target without a word.
 */
export function checkVariables(env: Environment): void {
  const empty = targetVariables.filter((name) => env[name]?.trim() === '')
  if (empty.length > 0)
    throw usage(
      `${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} set and empty.`,
      'Give a value, or unset it. In CI, check that the secret exists under this name.',
    )
  // Secrets are looked at where they are read.
  const broken = targetVariables.find((name) => /[\r\n]/.test(env[name] ?? '') && !/SECRET|TOKEN/.test(name))
  if (broken === undefined) return
  throw usage(
    `${broken} has a line break.`,
    'Look at the file that sets it: with line ends of Windows, every value ends in a carriage return.',
  )
}

/** The profile by flag, environment, `profiles use`, or the built-in one. */
export function chosenProfile(profiles: Profiles, flags: GlobalFlags, env: Environment): Chosen {
  const name = sourced(flags.local ? 'local' : undefined, 'flag', 'local') ??
    sourced(flags.profile, 'flag', 'profile') ??
    sourced(variable(env, 'FRONTDESK_PROFILE'), 'environment', 'FRONTDESK_PROFILE') ??
    sourced(profiles.current, 'default', 'profiles use') ?? {value: 'local', origin: builtIn}
  const profile = profileNamed(profiles, checkedName(name.value))
  if (isNamed(name)) return wholeProfile(name, profile, env)
  // A folder names the local state, so that a variable that names an address does not count, nor what belongs to it.
  const isLocal = flags.data !== undefined && variable(env, 'FRONTDESK_API_URL') !== undefined
  return isLocal ? without(remoteVariables, name, profile, env) : {name, profile, env, ignored: []}
}

export const builtIn: Origin = {by: 'default', name: 'built-in'}

/** Whether the command line names the profile. */
export const isNamed = ({origin: {by}}: WithOrigin<string>): boolean => by === 'argument' || by === 'flag'

const remoteVariables = [
  'FRONTDESK_API_URL',
  'FRONTDESK_AUTH_URL',
  'FRONTDESK_CLIENT_ID',
  'FRONTDESK_CLIENT_SECRET',
  'FRONTDESK_TOKEN',
]

/**
 * A profile that the command line names: address, project, store and credentials are its own, whatever variables say
 * (decision 47). The embedded target has many projects and none of its own, so that FRONTDESK_PROJECT_KEY counts beside
 * `local`.
 */
export function wholeProfile(name: WithOrigin<string>, profile: Profile, env: Environment): Chosen {
  const own = name.value === 'local' ? [] : ['FRONTDESK_PROJECT_KEY']
  return without([...remoteVariables, 'FRONTDESK_STORE', ...own], name, profile, env)
}

function without(names: readonly string[], name: WithOrigin<string>, profile: Profile, env: Environment): Chosen {
  const own: Record<string, string | undefined> = {
    FRONTDESK_API_URL: profile.apiUrl,
    FRONTDESK_AUTH_URL: profile.authUrl ?? profile.apiUrl,
    FRONTDESK_PROJECT_KEY: profile.projectKey,
    FRONTDESK_CLIENT_ID: profile.clientId,
    FRONTDESK_STORE: profile.store,
  }
  const ignored = names.filter((one) => ![undefined, own[one]].includes(variable(env, one)))
  return {name, profile, ignored, env: Object.fromEntries(Object.entries(env).filter(([one]) => !names.includes(one)))}
}

/** The profile that an argument names. Throws usage if a flag names another. */
export function profileFor(name: string, {profile, local}: GlobalFlags): string {
  if (local || (profile !== undefined && profile !== name)) throw usage('Two profiles are named.', 'Name one of them.')
  return name
}

const sourced = <T>(value: T | undefined, by: Origin['by'], name: string): WithOrigin<T> | undefined =>
  value === undefined ? undefined : {value, origin: {by, name}}

/** The folder of `--data`, absolute: what curl calls so is a body, which would become the name of a folder. */
export function checkedFolder(text: string): string {
  if (/^(~(\/|$)|\s*$)|[\0-\u001F\u007F]/.test(text)) return absoluteFolder(text, '--data')
  if (!/^\s*[@{[]/.test(text)) return resolve(text)
  throw usage(
    '--data names the folder of the local state, and this looks like a body.',
    'Give the body of a request by --body. A folder whose name begins so is written as ./NAME.',
  )
}

/** One field by precedence: flag, environment, profile. */
export function settingOf(
  name: 'project-key' | 'api-url' | 'auth-url' | 'data' | 'store' | 'ca-file' | 'timeout' | 'correlation-id',
  variableName: string,
  fromProfile: string | undefined,
  {flags, chosen}: {readonly flags: GlobalFlags; readonly chosen: Chosen},
): WithOrigin<string> | undefined {
  const given = flags[name]
  const own = variable(chosen.env, variableName)
  const isFolder = name === 'data'
  return (
    sourced(given !== undefined && isFolder ? checkedFolder(given) : given, 'flag', name) ??
    sourced(own !== undefined && isFolder ? absoluteFolder(own, variableName) : own, 'environment', variableName) ??
    sourced(fromProfile, 'profile', chosen.name.value)
  )
}

/** Says which variables a named target leaves out; undefined if there are none. */
export function ignoredNote({name, ignored}: Chosen): string | undefined {
  const by = isNamed(name) ? `the profile '${name.value}'` : '--data'
  return ignored.length === 0 ? undefined : `${ignored.join(', ')} not used: ${by} names the target.`
}
