import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Principal} from '../../api/operation/context.js'
import type {AnyOperation} from '../../api/operation/operation.js'
import type {UnservedRequest} from '../../api/pipeline/admit.js'

/** Requests that no operation serves: for another server, and for the window. */

/** Another server that answers the paths which this one does not serve (decision 43). */
export interface Fallback {
  /** Whether the other server is given an authorization that is not the caller's. */
  readonly isLent: boolean
  /** What a path says of a request that may be handed on; undefined for any other. */
  read(method: string, path: string): ForwardedPath | undefined
  /**
   * Hands a request on and its answer back, both as streams; resolves with the status once the answer is written. Throws
   * before anything is written: ContentTooLarge, OverCapacity, BadGateway and GatewayTimeout.
   */
  forward(request: IncomingMessage, response: ServerResponse, forwarded: Forwarded): Promise<number>
  close(): Promise<void>
}

export interface ForwardedPath extends Pick<UnservedRequest, 'projectKey' | 'storeKey' | 'isMine' | 'resource'> {
  /** The path decoded, as it is handed on: every reader reads it alike. */
  readonly path: string
}

export interface Forwarded {
  /** Path and query, as the other server gets them below its own path. */
  readonly target: string
  readonly correlationId: string
}

/** The paths of the window, below which some operations can be called too (decision 58). */
export interface WindowRoutes {
  owns(path: string): boolean
  /** Answers the request, or returns the call of an operation that it permits. Throws the refusal of the caller. */
  enter(request: WindowRequest): Promise<WindowCall | undefined>
}

export interface WindowRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly search: string
}

/** The call of an operation through the window, which knows the caller. */
export interface WindowCall {
  readonly path: string
  /** Throws for an operation that the window does not permit. */
  callerOf(operation: AnyOperation, params: Readonly<Record<string, string>>): Principal
}
