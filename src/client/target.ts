import type {AnyOperation} from '../api/operation/operation.js'

/** Where commands go. Built by the command line from profile, environment and flags; opened by `connect`. */

interface Common {
  readonly projectKey: string
  /** The store whose twin endpoints are used. */
  readonly storeKey?: string
}

/** A project behind HTTP: the public service, or a local server in another process. */
export interface RemoteTarget extends Common {
  readonly kind: 'remote'
  readonly apiUrl: string
  readonly authUrl: string
  readonly credentials: Credentials
}

/** State in a folder of this machine. If a live server holds it, the calls go there. */
export interface EmbeddedTarget extends Common {
  readonly kind: 'embedded'
  readonly dataDir: string
  /** Seed pack for the project, if it does not exist yet: `demo`, which is built in, or a folder. */
  readonly seedDir?: string
  /** Absent: the local API client that the project made at its first use. */
  readonly credentials?: Credentials
}

/** A project at an address, or one in a folder of this machine. */
export type Target = RemoteTarget | EmbeddedTarget

/** Secrets arrive as functions, so that they are read only when a token is really needed. */
export type Credentials =
  | {
      readonly kind: 'client'
      readonly clientId: string
      readonly secret: () => Promise<string>
      readonly scopes?: string
    }
  | {readonly kind: 'token'; readonly token: () => Promise<string>}
  | {readonly kind: 'none'}

/** Whose credentials they are, if they say so. */
export const clientIdOf = (credentials: Credentials): string | undefined =>
  credentials.kind === 'client' ? credentials.clientId : undefined

/** How a client sends its requests. Durations are in milliseconds. */
export interface ConnectOptions {
  readonly timeoutMs?: number
  /** Repeats after the first try, for connection errors, 429, 502, 503 and 504. */
  readonly retries?: number
  /** No repeat begins once the repeats of all requests have taken so long together; absent: no limit. */
  readonly repeatsMs?: number
  /** Sends every request with this `X-Correlation-ID`. */
  readonly correlationId?: string
  /** Name and version of the program, as requests state it (RFC 9110 §10.1.5). */
  readonly userAgent?: string
  /** PEM file of an additional certificate authority. */
  readonly caFile?: string
  /** Folder of the token cache; absent: tokens live as long as the connection. */
  readonly tokenCacheDir?: string
  /** Called for every exchange, for `-v` and `--trace-http`; headers and bodies are redacted already. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Called with each deprecation notice of an answer. */
  readonly onDeprecation?: (notice: string) => void
  /** Called before each operation. */
  readonly onCall?: (operation: AnyOperation) => void
  /**
   * Called once when a command on local state waits, for the holder of the lock or for a server that does not answer.
   */
  readonly onWait?: (holder: string) => void
  /** Called for what the caller should know of a local state that was changed when it was opened. */
  readonly onWarning?: (message: string) => void
  /** How long a local server may take to answer before `onWait` is called; 2,000 ms if absent. */
  readonly silenceMs?: number
  readonly clock?: () => number
  /** Work factor of bcrypt for an embedded state, 4 to 14; test suites with many sign-ups want 4. */
  readonly passwordCost?: number
}

/** One request and its answer, for traces. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number | undefined
  readonly durationMs: number
  readonly attempt: number
  readonly correlationId: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody?: string
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody?: unknown
}
