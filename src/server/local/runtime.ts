import {
  type Context,
  defaultSettings,
  type ExternalIntrospection,
  type Runtime,
  type Settings,
} from '../../api/operation/context.js'
import {clientSecretRule, introspectionRule, lockoutsOf} from '../../api/operation/lockouts.js'
import {signInLockoutOf} from '../../api/operation/sign-in-lockout.js'
import {sweeperOf} from '../../api/operation/sweeper.js'
import {defined} from '../../domain/equal.js'
import {passwordsOf} from '../../secrets/passwords.js'
import {type Secrets, secrets} from '../../secrets/secrets.js'
import {openStore} from '../../store/open.js'
import type {OpenedStore, StoreOptions} from '../../store/opened-store.js'
import type {ExternalOAuthOptions} from '../external/external-oauth.js'
import type {Faults} from '../http/faults.js'
import type {RequestLog} from '../requests/request-log.js'
import type {Outbox} from '../stubs/outbox.js'
import type {TestClock} from '../stubs/test-clock.js'
import {facets, searchTexts} from './facets.js'
import type {LocalClient} from './local-files.js'
import type {Entries} from './window-entries.js'

type StateOptions = Pick<StoreOptions, 'writer' | 'lockTimeoutMs' | 'force' | 'onFatal' | 'onWarning' | 'onWait'>

export interface RuntimeOptions extends StateOptions {
  /** Folder of the state, or `:memory:`. */
  readonly dataDir: string
  /** A PostgreSQL database for the state. */
  readonly storeUrl?: string
  readonly settings?: Partial<Settings>
  readonly clock?: () => number
  readonly secrets?: Secrets
  /** Called once with a sentence where files hold more than they are made for. */
  readonly onLarge?: (note: string) => void
  /** Replaces introspection over the network. */
  readonly external?: ExternalIntrospection
  /** How external authorization servers may be reached. */
  readonly externalOAuth?: ExternalOAuthOptions
}

/** The runtime of a pipeline, with its opened state. */
export interface OpenedRuntime extends Runtime {
  readonly state: OpenedStore
}

/** The runtime of an administered server: with its data folder and start time. */
export interface AdministeredRuntime extends OpenedRuntime {
  readonly dataDir: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Whether other machines reach this server, which then takes no seed pack. */
  readonly isOpen?: boolean
  /** The first client of a state in memory, which has no file for it. */
  readonly firstClient?: LocalClient
  /** Absent in a process that does not listen. */
  readonly memory?: ServerMemory
}

/** What a server keeps in memory beside its state, as its administration and its window ask for it. */
export interface ServerMemory {
  readonly faults: Faults
  readonly testClock: TestClock
  readonly requestLog: RequestLog
  readonly outbox: Outbox
  readonly entries: Entries
}

/** Pages of the shop that take a one-time token, with `{token}` in its place, for the links of `server outbox`. */
export interface TokenLinks {
  readonly resetLink?: string
  readonly verifyLink?: string
}

/** The runtime of a process that answers requests. */
export interface LocalRuntime extends AdministeredRuntime {
  readonly memory: ServerMemory
  readonly links: TokenLinks
}

export interface AdministeredContext extends Context {
  readonly runtime: AdministeredRuntime
}

/** Of an operation that only a server that listens has. */
export interface LocalContext extends Context {
  readonly runtime: LocalRuntime
}

/** Opens the state and creates the runtime. Throws StateError. */
export async function openRuntime(options: RuntimeOptions): Promise<OpenedRuntime> {
  const {dataDir: dir, storeUrl: url, clock = Date.now, externalOAuth, external, ...rest} = options
  const {settings: given, secrets: replaced, onLarge, ...stateOptions} = rest
  const {writer, onWarning} = stateOptions
  const settings = {...defaultSettings, ...given}
  const state = await openStore({
    ...stateOptions,
    dir,
    facets,
    searchTexts,
    ...defined({url, onRead: onLarge && telling(onLarge)}),
  })
  const random = replaced ?? secrets
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
    compact: () => state.compact(),
    sweeper: sweeperOf({state, settings, sweepsInBackground: writer === 'server', onWarning}),
    external: external ?? externalLater({...externalOAuth, clock, digest: random.digest}),
  }
}

/** Customers for whom files are made. Decision 75. */
const mostCustomers = 200_000

/** Says once that a project has more. */
export function telling(tell: (note: string) => void, most = mostCustomers): NonNullable<StoreOptions['onRead']> {
  let isTold = false
  return (project, sizeOf) => {
    const customers = sizeOf('customer')
    if (isTold || customers <= most) return
    isTold = true
    tell(`${project} has ${customers} customers: PostgreSQL is the place for so many ('server migrate-store').`)
  }
}

/** External introspection, loaded at the first external token, which most projects never see. */
function externalLater(tools: ExternalOAuthOptions & Pick<Runtime, 'clock'> & Pick<Secrets, 'digest'>) {
  let loading: Promise<ExternalIntrospection> | undefined
  const external: ExternalIntrospection = async (...asked) => {
    loading ??= import('../external/external-oauth.js').then(({externalIntrospection}) => externalIntrospection(tools))
    return (await loading)(...asked)
  }
  return external
}
