import {resolve} from 'node:path'
import type {Credentials, Target} from '../../client/target.js'
import {defined} from '../../domain/equal.js'
import {Failure, usage} from '../process/failure.js'
import {type Environment, variable} from '../process/io.js'
import {readSecret} from '../secrets/secret-sources.js'
import {checkedProjectKey, checkedStoreKey, checkedUrl, isLoopback} from './addresses.js'
import type {Profile} from './profiles.js'
import {type Chosen, type Folders, type GlobalFlags, type Sourced, settingOf} from './settings.js'

/** The target of a command, and the name that people see for it. */
export interface ResolvedTarget {
  readonly target: Target
  /** The profile's name, or the host if flags or variables replaced its address. */
  readonly label: string
  readonly profile: Profile
  /** Origin of each field, by its name in a profile. */
  readonly origins: ReadonlyMap<string, Sourced<string>>
}

interface TargetOptions {
  readonly flags: GlobalFlags
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
  const projectKey = checkedProjectKey(project?.value ?? 'local', project?.origin ?? 'default')
  const store = options.flags.global ? undefined : setting('store', 'FRONTDESK_STORE', profile.store)
  const common = {
    projectKey,
    ...(store === undefined ? {} : {storeKey: checkedStoreKey(store.value, store.origin)}),
  }
  const api = setting('api-url', 'FRONTDESK_API_URL', profile.apiUrl)
  const auth = setting('auth-url', 'FRONTDESK_AUTH_URL', profile.authUrl)
  const origins = new Map<string, Sourced<string>>([['profile', chosen.name]])
  const note = (name: string, from: Sourced<string> | undefined) => from && origins.set(name, from)
  note('projectKey', project)
  note('store', store)

  // A flag that names local state wins over a variable that names an address.
  const {local, data: dataFlag} = options.flags
  const overruled = (local || dataFlag !== undefined) && api?.origin.startsWith('flag') === false
  if (api !== undefined && !overruled) {
    note('apiUrl', api)
    note('authUrl', auth)
    const target = remote(common, api, auth, options)
    const own = target.apiUrl === profile.apiUrl || api.origin.startsWith('profile')
    return {target, label: own ? chosen.name.value : new URL(target.apiUrl).host, profile, origins}
  }
  if (profile.kind === 'remote') throw usage(`Profile '${chosen.name.value}' has no apiUrl.`, 'Add it with --api-url.')
  const data = setting('data', 'FRONTDESK_DATA_DIR', profile.dataDir)
  note('dataDir', data ?? {value: options.folders.data, origin: 'default'})
  const credentials = environmentCredentials(options.env) ?? profileCredentials(options)
  const target: Target = {
    kind: 'embedded',
    ...common,
    dataDir: resolve(data?.value ?? options.folders.data),
    ...defined({credentials}),
  }
  return {target, label: chosen.name.value, profile, origins}
}

function remote(
  common: {readonly projectKey: string; readonly storeKey?: string},
  api: Sourced<string>,
  auth: Sourced<string> | undefined,
  options: TargetOptions,
): Target & {readonly kind: 'remote'} {
  const {chosen, env} = options
  const apiUrl = checkedUrl(api.value, api.origin)
  // A profile's authorization service belongs to its own API; another API is taken to serve both (decision 1).
  const authorized = auth !== undefined && (api.origin.startsWith('profile') || !auth.origin.startsWith('profile'))
  const authUrl = authorized ? checkedUrl(auth.value, auth.origin) : apiUrl
  if (variable(env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0' && !(isLoopback(apiUrl) && isLoopback(authUrl))) {
    throw usage(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the check of certificates.',
      "Unset it; name your company's authority with --ca-file.",
    )
  }
  const {profile} = chosen
  const unchanged =
    apiUrl === profile.apiUrl &&
    authUrl === (profile.authUrl ?? profile.apiUrl) &&
    common.projectKey === profile.projectKey
  const credentials =
    environmentCredentials(env) ??
    (unchanged ? profileCredentials(options) : undefined) ??
    noCredentials(unchanged, chosen)
  return {kind: 'remote', ...common, apiUrl, authUrl, credentials}
}

/** Credentials of CI jobs. A token wins over a client, since it is the narrower one. */
function environmentCredentials(env: Environment): Credentials | undefined {
  const token = variable(env, 'FRONTDESK_TOKEN')
  if (token !== undefined) return {kind: 'token', token: () => Promise.resolve(token)}
  const clientId = variable(env, 'FRONTDESK_CLIENT_ID')
  const secret = variable(env, 'FRONTDESK_CLIENT_SECRET')
  if (clientId === undefined && secret === undefined) return undefined
  if (clientId === undefined || secret === undefined) {
    throw usage(
      `FRONTDESK_CLIENT_${clientId === undefined ? 'ID' : 'SECRET'} is missing.`,
      'Set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET together.',
    )
  }
  return {kind: 'client', clientId, secret: () => Promise.resolve(secret)}
}

/** The credentials of a profile. Callers must send them only to the project and URLs of the profile. */
function profileCredentials({chosen, env}: TargetOptions): Credentials | undefined {
  const {clientId, secret, scopes} = chosen.profile
  if (clientId === undefined || secret === undefined) return undefined
  return {
    kind: 'client',
    clientId,
    secret: () => readSecret(secret.from, accountOf(chosen.name.value, chosen.profile), env),
    ...defined({scopes}),
  }
}

/** The keyring's account of a profile: a secret is bound to its address and project. */
export const accountOf = (name: string, {authUrl, apiUrl, projectKey}: Profile): string =>
  [name, authUrl ?? apiUrl ?? 'embedded', projectKey].join(' ')

/** Credentials that fail when a token is first requested, so that `profiles show` and dry runs still work. */
function noCredentials(unchanged: boolean, {name, profile}: Chosen): Credentials {
  const bound = !unchanged && profile.clientId !== undefined
  const why = bound
    ? `The secret of profile '${name.value}' belongs to another address or project, and is not sent elsewhere.`
    : `There are no credentials for profile '${name.value}'.`
  return {
    kind: 'token',
    token: () =>
      Promise.reject(
        new Failure('denied', 'NoCredential', why, {
          hints: ['Run `frontdesk login`, or set FRONTDESK_CLIENT_ID and FRONTDESK_CLIENT_SECRET.'],
        }),
      ),
  }
}
