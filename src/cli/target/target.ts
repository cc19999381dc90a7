import {resolve} from 'node:path'
import {isSameAddress} from '../../client/place.js'
import type {Credentials, Target} from '../../client/target.js'
import {defined, omit} from '../../domain/equal.js'
import {checkedBare, readSecret} from '../input/secret-sources.js'
import {Failure, usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {checkedProjectKey, checkedStoreKey, checkedUrl, isLoopback} from './addresses.js'
import type {Folders} from './folders.js'
import {type Profile, type Profiles, profileNamed} from './profiles.js'
import {
  builtIn,
  type Chosen,
  type GlobalFlags,
  type Origin,
  originText,
  settingOf,
  type WithOrigin,
  wholeProfile,
} from './settings.js'

/** The target of a command, and the name that people see for it. */
export interface ResolvedTarget {
  readonly target: Target
  /** The profile's name, or the host if flags or variables replaced its address. */
  readonly label: string
  readonly profile: Profile
  /** Origin of each field, by its name in a profile. */
  readonly origins: ReadonlyMap<string, WithOrigin<string>>
}

interface TargetOptions {
  readonly flags: GlobalFlags
  /** All variables: secrets of profiles may be in them. */
  readonly env: Environment
  readonly chosen: Chosen
  readonly folders: Folders
}

/** Resolves the target from flags, environment and profile, in this order of precedence. */
export function resolveTarget(options: TargetOptions): ResolvedTarget {
  const {chosen} = options
  const {profile} = chosen
  const setting = (name: Parameters<typeof settingOf>[0], variableName: string, own?: string) =>
    settingOf(name, variableName, own, options)

  const project = setting('project-key', 'FRONTDESK_PROJECT_KEY', profile.projectKey)
  const projectKey = checkedProjectKey(project?.value ?? 'local', originText(project?.origin ?? builtIn))
  const store = options.flags.global ? undefined : setting('store', 'FRONTDESK_STORE', profile.store)
  const storeKey = store && checkedStoreKey(store.value, originText(store.origin))
  const common = {projectKey, ...defined({storeKey})}
  const api = setting('api-url', 'FRONTDESK_API_URL', profile.apiUrl)
  const auth = setting('auth-url', 'FRONTDESK_AUTH_URL', profile.authUrl)
  const originsWith = (more: Readonly<Record<string, WithOrigin<string> | undefined>>) =>
    new Map(Object.entries(defined({profile: chosen.name, projectKey: project, store, ...more})))
  const given = environmentCredentials(chosen.env) ?? profileCredentials(options)
  // A flag that names local state wins over the address of a profile in use.
  const isOverruled = options.flags.data !== undefined && api?.origin.by !== 'flag'
  if (api !== undefined && !isOverruled) {
    const target = remote(common, {project, api, auth}, given, options)
    const isAsked = isSameAddress(target.authUrl, auth?.value)
    const authUrl = isAsked ? auth : {value: target.authUrl, origin: {by: 'default', name: 'apiUrl'} as const}
    const own = target.credentials === given?.credentials ? given.origins : {}
    const origins = originsWith({...own, apiUrl: api, authUrl})
    const isOwn = isSameAddress(target.apiUrl, profile.apiUrl)
    return {target, label: isOwn ? chosen.name.value : new URL(target.apiUrl).host, profile, origins}
  }
  if (profile.apiUrl !== undefined) {
    throw usage(`Profile '${chosen.name.value}' has an address: --data has no effect.`, 'Leave it out, or add --local.')
  }
  const data = setting('data', 'FRONTDESK_DATA_DIR', profile.dataDir) ?? {value: options.folders.data, origin: builtIn}
  const origins = originsWith({dataDir: data, ...given?.origins})
  const dataDir = resolve(data.value)
  const isOwn = profile.dataDir === undefined || resolve(profile.dataDir) === dataDir
  const target: Target = {kind: 'embedded', ...common, dataDir, ...defined({credentials: given?.credentials})}
  return {target, label: isOwn ? chosen.name.value : dataDir, profile, origins}
}

/** The variables that give the credentials of a target. */
export const credentialVariables = (resolved: ResolvedTarget | undefined): readonly string[] =>
  ['token', 'clientId', 'secret'].flatMap((setting) => {
    const origin = resolved?.origins.get(setting)?.origin
    return origin?.by === 'environment' ? [origin.name] : []
  })

export type Side = ReturnType<typeof sideOf>

/** A target by the name of its profile alone; its own folder and store count, whatever variables say. */
export function sideOf(name: string, profiles: Profiles, folders: Folders, env: Environment) {
  const named = wholeProfile({value: name, origin: {by: 'argument', name}}, profileNamed(profiles, name), env)
  const chosen = {...named, env: omit(named.env, ['FRONTDESK_DATA_DIR', 'FRONTDESK_PROJECT_KEY'])}
  return {chosen, resolved: resolveTarget({flags: {}, env, chosen, folders})}
}

interface Settings {
  readonly project: WithOrigin<string> | undefined
  readonly api: WithOrigin<string>
  readonly auth: WithOrigin<string> | undefined
}

function remote(
  common: {readonly projectKey: string; readonly storeKey?: string},
  {project, api, auth}: Settings,
  given: Given | undefined,
  options: TargetOptions,
): Target & {readonly kind: 'remote'} {
  const {chosen, env} = options
  const apiUrl = checkedUrl(api.value, originText(api.origin))
  // A profile's authorization service belongs to its own API; another API is taken to serve both (decision 1).
  const authorized = auth !== undefined && (api.origin.by === 'profile' || auth.origin.by !== 'profile')
  const authUrl = authorized ? checkedUrl(auth.value, originText(auth.origin)) : apiUrl
  if (variable(env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0' && !(isLoopback(apiUrl) && isLoopback(authUrl))) {
    throw usage(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check of certificates.',
      "Unset it; name your company's authority with --ca-file.",
    )
  }
  const {profile} = chosen
  const own = (value: string | undefined) => value !== undefined && checkedUrl(value, `profile ${chosen.name.value}`)
  const isUnchanged =
    apiUrl === own(profile.apiUrl) &&
    authUrl === own(profile.authUrl ?? profile.apiUrl) &&
    common.projectKey === profile.projectKey
  const target = {kind: 'remote', ...common, apiUrl, authUrl} as const
  if (given && (isUnchanged || !given.isOfProfile)) return {...target, credentials: given.credentials}
  const elsewhere = isUnchanged
    ? []
    : [project, api, auth].flatMap((setting) => (setting && setting.origin.by !== 'profile' ? setting.origin : []))
  return {...target, credentials: noCredentials(elsewhere, chosen)}
}

interface Given {
  readonly credentials: Credentials
  /** They are sent to the address and project of the profile only. */
  readonly isOfProfile?: true
  readonly origins: Readonly<Record<string, WithOrigin<string>>>
}

const fromVariable = (name: string, value: string): WithOrigin<string> => ({value, origin: {by: 'environment', name}})

/** Credentials of CI jobs. A token wins over a client, since it is the narrower one. */
function environmentCredentials(env: Environment): Given | undefined {
  const token = variable(env, 'FRONTDESK_TOKEN')
  if (token !== undefined) {
    checkedBare(token, 'FRONTDESK_TOKEN')
    const origins = {token: fromVariable('FRONTDESK_TOKEN', 'env:FRONTDESK_TOKEN')}
    return {credentials: {kind: 'token', token: () => Promise.resolve(token)}, origins}
  }
  const clientId = variable(env, 'FRONTDESK_CLIENT_ID')
  const secret = variable(env, 'FRONTDESK_CLIENT_SECRET')
  if (clientId === undefined && secret === undefined) return undefined
  if (clientId === undefined || secret === undefined) {
    throw usage(
      `FRONTDESK_CLIENT_${clientId === undefined ? 'ID' : 'SECRET'} is missing.`,
      'Set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET together.',
    )
  }
  checkedBare(secret, 'FRONTDESK_CLIENT_SECRET')
  return {
    credentials: {kind: 'client', clientId, secret: () => Promise.resolve(secret)},
    origins: {
      clientId: fromVariable('FRONTDESK_CLIENT_ID', clientId),
      secret: fromVariable('FRONTDESK_CLIENT_SECRET', 'env:FRONTDESK_CLIENT_SECRET'),
    },
  }
}

/** The credentials of a profile. Callers must send them only to the project and URLs of the profile. */
function profileCredentials({chosen: {name, profile}, env}: TargetOptions): Given | undefined {
  const {clientId, secret, scopes} = profile
  if (clientId === undefined || secret === undefined) return undefined
  const origin: Origin = {by: 'profile', name: name.value}
  return {
    credentials: {kind: 'client', clientId, secret: () => readSecret(secret.from, env), ...defined({scopes})},
    isOfProfile: true,
    origins: {clientId: {value: clientId, origin}, secret: {value: secret.from, origin}},
  }
}

/**
 * Credentials that fail when a token is first requested, so that `whoami --origins` and dry runs still work. `elsewhere`
 * names the flags and variables that lead away from the profile.
 */
function noCredentials(elsewhere: readonly Origin[], {name, profile, ignored}: Chosen): Credentials {
  const isBound = elsewhere.length > 0 && profile.clientId !== undefined
  const why = isBound
    ? `The secret of profile '${name.value}' belongs to another address or project, and is not sent elsewhere.`
    : `There are no credentials for profile '${name.value}'.`
  const cause = elsewhere.map(originText).join(', ')
  const hints = [
    ...(isBound ? [`${cause} leads elsewhere: leave it out, or give credentials for that place too.`] : []),
    ...(ignored.length > 0 ? [`${ignored.join(', ')} do not count beside a profile that is named.`] : []),
    ...(isBound ? [] : ['Run `frontdesk login`, or set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET.']),
  ]
  return {kind: 'token', token: () => Promise.reject(new Failure('denied', 'NoCredential', why, {hints}))}
}
