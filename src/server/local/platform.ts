import {tokenUpkeepOf} from '../../api/oauth/token-upkeep.js'
import {defaultSettings, type ExternalIntrospection, type Platform, type Settings} from '../../api/operation/context.js'
import {signInLockoutOf} from '../../api/sign-in/lockout.js'
import {clientSecretRule, introspectionRule, lockoutsOf} from '../../api/sign-in/lockouts.js'
import {defined} from '../../domain/equal.js'
import {passwordsOf} from '../../secrets/passwords.js'
import {type Secrets, secrets} from '../../secrets/secrets.js'
import {openStore} from '../../store/open.js'
import type {OpenedStore} from '../../store/opened-store.js'
import type {ExternalOAuthOptions} from '../external/external-oauth.js'
import {facets} from './facets.js'

export interface PlatformOptions {
  /** Folder of the state, or `:memory:`. */
  readonly dataDir: string
  /** A PostgreSQL database that keeps the state. */
  readonly storeUrl?: string
  readonly writer: 'server' | 'one-shot' | 'reader'
  readonly settings?: Partial<Settings>
  readonly clock?: () => number
  readonly secrets?: Secrets
  /** Takes the place of asking over the network. */
  readonly external?: ExternalIntrospection
  readonly externalOAuth?: ExternalOAuthOptions
  /** How long a one-shot command waits for another to finish. */
  readonly lockTimeoutMs?: number
  /** The disk broke its promise or another process took the state; nothing can be written any more. */
  readonly onFatal?: (error: Error) => void
  /** Told of damage found at the start, and of work behind the requests that failed. */
  readonly onWarning?: (message: string) => void
  /** Told whom a one-shot command waits for. */
  readonly onWait?: (holder: string) => void
}

/** Everything a pipeline needs, over an opened state. */
export interface OpenedPlatform extends Platform {
  readonly state: OpenedStore
}

/** Opens the state and puts the platform together. Throws StateError. */
export async function openPlatform(options: PlatformOptions): Promise<OpenedPlatform> {
  const settings = {...defaultSettings, ...options.settings}
  const {dataDir, storeUrl, writer, lockTimeoutMs, onFatal, onWarning, onWait} = options
  const state = await openStore({
    dir: dataDir,
    facets,
    writer,
    ...defined({url: storeUrl, lockTimeoutMs, onFatal, onWarning, onWait}),
  })
  const clock = options.clock ?? Date.now
  const random = options.secrets ?? secrets
  return {
    state,
    clock,
    secrets: random,
    passwords: passwordsOf(settings.passwordCost),
    settings,
    signInLockout: signInLockoutOf(settings.lockout, {state, secrets: random}),
    wrongSecrets: lockoutsOf(settings.lockout, clientSecretRule),
    inactiveAnswers: lockoutsOf(settings.lockout, introspectionRule),
    deprecatedUses: new Map(),
    forget: () => state.compact(),
    ...(writer === 'server' ? {tokenUpkeep: tokenUpkeepOf(state, settings)} : {}),
    external: options.external ?? externalLater({...options.externalOAuth, clock, digest: random.digest}),
  }
}

/** Loaded when a foreign token comes, which for most projects is never. */
function externalLater(tools: ExternalOAuthOptions & Pick<Platform, 'clock'> & Pick<Secrets, 'digest'>) {
  let loading: Promise<ExternalIntrospection> | undefined
  const external: ExternalIntrospection = async (...asked) => {
    loading ??= import('../external/external-oauth.js').then(({externalIntrospection}) => externalIntrospection(tools))
    return (await loading)(...asked)
  }
  return external
}
