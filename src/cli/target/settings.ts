import {join} from 'node:path'
import type {Given, globalFlags} from '../command/flags.js'
import {usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {checkedName, type Profile, type Profiles, profileNamed} from './profiles.js'

/** A value and where it came from, for `profiles show --origins`. */
export interface Sourced<T> {
  readonly value: T
  readonly origin: string
}

/** The global flags that choose the target and the settings of requests. */
export type GlobalFlags = Given<typeof globalFlags>

/** Folders by oclif's rules: configuration, state and audit, caches. */
export interface Folders {
  readonly config: string
  readonly data: string
  readonly cache: string
}

export function foldersOf(
  oclif: {readonly configDir: string; readonly dataDir: string; readonly cacheDir: string},
  env: Environment,
): Folders {
  return {
    config: variable(env, 'FRONTDESK_CONFIG_DIR') ?? oclif.configDir,
    data: variable(env, 'FRONTDESK_DATA_DIR') ?? oclif.dataDir,
    cache: variable(env, 'FRONTDESK_CACHE_DIR') ?? oclif.cacheDir,
  }
}

/** Folders beside the projects; no project key starts with an underscore, so the names cannot collide. */
/** Where the values are kept that updates have replaced. */
export const undoFolder = ({data}: Folders): string => join(data, '_undo')
/** Where it is kept which protected profiles were confirmed, and when. */
export const confirmedFolder = ({data}: Folders): string => join(data, '_confirmed')
export const auditFolder = ({data}: Folders): string => join(data, '_audit')
export const jobsFolder = ({data}: Folders): string => join(data, '_jobs')
/** Where it is kept how far runs with `--since` came. */
export const sinceFolder = ({data}: Folders): string => join(data, '_since')
export const tokenCacheFolder = ({cache}: Folders): string => join(cache, 'tokens')

export interface Chosen {
  readonly name: Sourced<string>
  readonly profile: Profile
}

/** The profile by flag, environment, `profiles use`, or the built-in one. */
export function chosenProfile(profiles: Profiles, flags: GlobalFlags, env: Environment): Chosen {
  const name = sourced(flags.local ? 'local' : undefined, 'flag --local') ??
    sourced(flags.profile, 'flag --profile') ??
    sourced(variable(env, 'FRONTDESK_PROFILE'), 'environment FRONTDESK_PROFILE') ??
    sourced(profiles.current, 'profiles use') ?? {value: 'local', origin: 'default'}
  return {name, profile: profileNamed(profiles, checkedName(name.value))}
}

/** The profile that an argument names. Throws usage if a flag names another. */
export function profileFor(name: string, {profile, local}: GlobalFlags): string {
  if (local || (profile !== undefined && profile !== name)) throw usage('Two profiles are named.', 'Name one of them.')
  return name
}

const sourced = <T>(value: T | undefined, origin: string): Sourced<T> | undefined =>
  value === undefined ? undefined : {value, origin}

/** One field by precedence: flag, environment, profile. */
export function settingOf(
  name: 'project-key' | 'api-url' | 'auth-url' | 'data' | 'store' | 'ca-file' | 'timeout' | 'correlation-id',
  variableName: string,
  fromProfile: string | undefined,
  {flags, env, chosen}: {readonly flags: GlobalFlags; readonly env: Environment; readonly chosen: Chosen},
): Sourced<string> | undefined {
  return (
    sourced(flags[name], `flag --${name}`) ??
    sourced(variable(env, variableName), `environment ${variableName}`) ??
    sourced(fromProfile, `profile ${chosen.name.value}`)
  )
}

const overriding = new Set([
  'FRONTDESK_PROJECT_KEY',
  'FRONTDESK_API_URL',
  'FRONTDESK_AUTH_URL',
  'FRONTDESK_STORE',
  'FRONTDESK_CLIENT_ID',
  'FRONTDESK_CLIENT_SECRET',
  'FRONTDESK_TOKEN',
])

/** The environment without the variables that would replace the address, project or client of a profile. */
export const withoutOverrides = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !overriding.has(name)))
