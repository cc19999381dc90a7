import type {OnFault, Settings} from '../api/operation/context.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {linkProblem} from '../domain/token-link.js'
import type {ExternalOAuthOptions} from './external/external-oauth.js'
import {fallbackTo} from './fallback/fallback.js'
import type {FallbackOptions} from './fallback/target.js'
import {bindProblem, checkedAllowedHosts, publicOriginOf} from './http/bind.js'
import type {FrontLimits} from './http/connections.js'
import type {Fallback} from './http/fallback.js'
import {checkedAllowedOrigins} from './http/origins.js'
import type {RequestLine} from './http/request-line.js'
import type {TokenLinks} from './local/runtime.js'

/** A local server; only the key of its first project is required. */
export interface ServerOptions {
  /** Folder of the state, created if missing, or `:memory:`, which ends with the server; `:memory:` if absent. */
  readonly dataDir?: string
  /** A PostgreSQL database for the state; the folder then holds only files of this server. */
  readonly storeUrl?: string
  /** Takes over the lock of a process in another container or on another machine, which may still run. */
  readonly force?: boolean
  readonly projectKey: string
  /** Seed pack for the project, if it does not exist yet: `demo`, which is built in, or a folder. */
  readonly seedDir?: string
  /** An IP address of this machine; 127.0.0.1 if absent. Beyond loopback it requires `insecureHttp`. */
  readonly host?: string
  /** Allows plain HTTP beyond loopback, where secrets and tokens travel unencrypted. */
  readonly insecureHttp?: true
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly settings?: Partial<Settings>
  readonly clock?: () => number
  /** The address that clients use if it is another: of a proxy, a container, a published port. */
  readonly publicUrl?: string
  /** Hosts, beside loopback ones, under which this server may be addressed; with its port, another one, or any (`:*`). */
  readonly allowedHosts?: readonly string[]
  /** Origins whose pages may use the API from a browser, as in `http://localhost:5173`. */
  readonly allowedOrigins?: readonly string[]
  readonly limits?: Partial<FrontLimits>
  /** Keep the queries and bodies of the last requests too, their secrets masked when they are shown. */
  readonly keepBodies?: boolean
  /** How external authorization servers may be reached. */
  readonly externalOAuth?: ExternalOAuthOptions
  /** Another server for the paths that this one does not serve: its URL, or options. Absent: such paths get 404. */
  readonly fallback?: string | FallbackOptions
  /** Pages of the shop that take a one-time token, with `{token}` in its place, for the links of `server outbox`. */
  readonly resetLink?: string
  readonly verifyLink?: string
  readonly onRequest?: (line: RequestLine) => void
  readonly onFault?: OnFault
  /**
   * Called when a sync failed or another process took over the state: nothing can be written, and the server must end.
   */
  readonly onFatal?: (error: Error) => void
  /** Called for damage found at the start, and for failures of background work. */
  readonly onWarning?: (message: string) => void
}

/** Where a server listens and how it may be named. */
export interface CheckedAddress {
  readonly host: string
  readonly port: number
  readonly publicOrigin: string | undefined
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: ReadonlySet<string>
}

/** Throws InvalidSetup for an address where the server must not listen, or an unusable one. */
export function checkedAddressOf(options: ServerOptions): CheckedAddress {
  const {host = '127.0.0.1', port = 0, publicUrl} = options
  const problem = bindProblem({...options, host})
  if (problem !== undefined) throw ApiError.of('InvalidSetup', {message: problem})
  const publicOrigin = publicUrl === undefined ? undefined : publicOriginOf(publicUrl)
  const allowedHosts = checkedAllowedHosts(options.allowedHosts ?? [], publicOrigin)
  const allowedOrigins = checkedAllowedOrigins(options.allowedOrigins ?? [])
  return {host, port, publicOrigin, allowedHosts, allowedOrigins}
}

/** Throws InvalidSetup for an invalid link. */
export function checkedLinks({resetLink, verifyLink}: ServerOptions): TokenLinks {
  const links = defined({resetLink, verifyLink})
  for (const [name, link] of Object.entries(links)) {
    const problem = linkProblem(link)
    if (problem !== undefined) throw ApiError.of('InvalidSetup', {message: `${name} ${problem}.`})
  }
  return links
}

/** `pseudonym` is new with each start, so that a request which comes back is known by its Via. Throws InvalidSetup. */
export const fallbackOf = ({fallback}: ServerOptions, pseudonym: string): Fallback | undefined =>
  fallback === undefined ? undefined : fallbackTo(typeof fallback === 'string' ? {url: fallback} : fallback, pseudonym)
