import type {IncomingMessage, ServerResponse} from 'node:http'
import type {Principal} from '../api/operation/context.js'
import type {AnyOperation} from '../api/operation/operation.js'

/** The path of the window, which no project key can have. */
export const windowPath = '/_frontdesk/window'

/** Whether a link, of whatever page or file, leads to the window: its page tells nothing until it has a session. */
export const isLinkToWindow = ({method, url = '', headers}: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-dest'] === 'document' && url.split('?')[0] === windowPath

/** The paths of the window, below which some operations can be called too (decision 58). */
export interface WindowPaths {
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
