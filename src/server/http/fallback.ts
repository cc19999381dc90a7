import type {IncomingMessage, ServerResponse} from 'node:http'
import type {UnservedRequest} from '../../api/pipeline/admit.js'

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
