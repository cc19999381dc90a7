import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Principal} from '../api/operation/context.js'
import type {AnyOperation} from '../api/operation/operation.js'

/** The path of the window, which no project key can have. */
export const windowPath = '/_frontdesk/window'

/** Whether a link, of whatever page or file, leads to the window: its page tells nothing until it has a session. */
export const isLinkToWindow = ({method, url = '', headers}: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-dest'] === 'document' && url.split('?')[0] === windowPath

/** Paths of this machine beside those of operations, under which some operations can be called too (decision 58). */
export interface WindowPaths {
  owns(path: string): boolean
  /** Answers the request itself, or says which path its caller is let in to. Throws what the caller is refused with. */
  enter(request: WindowRequest): Promise<Inward | undefined>
}

export interface WindowRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly search: string
}

/** A request for an operation whose caller the window knows. */
export interface Inward {
  readonly path: string
  /** Throws for an operation that the window does not open. */
  callerOf(operation: AnyOperation, params: Readonly<Record<string, string>>): Principal
}
