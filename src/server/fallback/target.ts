import {isProjectKey} from '../../api/documents/project.js'
import {ApiError} from '../../domain/errors.js'
import {isLoopback} from '../http/bind.js'

/** Where requests for paths that this server does not serve go. */
export interface FallbackTarget {
  readonly origin: string
  /** Stands before every forwarded path; empty, or begins with a slash and ends without one. */
  readonly basePath: string
}

export interface FallbackOptions {
  /** `http` or `https`, with a path if the other server has one. */
  readonly url: string
  /** The `Authorization` that the other server gets, instead of the caller's token, which stays here. */
  readonly authorization?: string
  /** How long the other server may take for its headers, and between two pieces of its answer. 30 s if absent. */
  readonly answerTimeoutMs?: number
}

const setup = (message: string): ApiError => ApiError.of('InvalidSetup', {message})

const bareHost = ({hostname}: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Reads the address of a fallback. Throws InvalidSetup for one that cannot be used; the address itself is not repeated. */
export function fallbackTarget({url, authorization}: FallbackOptions): FallbackTarget {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw setup('The address of the fallback server is no http or https URL.')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw setup('The address of the fallback server carries credentials; they are set apart from it.')
  }
  if (parsed.search !== '' || parsed.hash !== '') {
    throw setup('The address of the fallback server has a query or a fragment.')
  }
  if (authorization !== undefined && !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(authorization)) {
    throw setup('The authorization for the fallback server is no value of a header.')
  }
  if (authorization !== undefined && parsed.protocol === 'http:' && !isLoopback(bareHost(parsed))) {
    throw setup('The authorization for the fallback server would travel readable: its address must be https.')
  }
  return {origin: parsed.origin, basePath: parsed.pathname.replace(/\/+$/, '')}
}

/** What a path says of the request that goes to another server. */
export interface ForwardedPath {
  readonly projectKey: string
  readonly storeKey?: string
  readonly isMine: boolean
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** What a reader after us could take for the end of a segment, or for a step upwards. */
const climbs = (segment: string): boolean => segment.split(/[/\\]/).some((part) => part === '.' || part === '..')
const plainPath = /^\/[\x21\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*$/

/**
 * Reads a path that may be handed on: of a project, in characters that mean the same to every reader, without segments to
 * climb by. Undefined for any other.
 */
export function forwardedPath(method: string, path: string): ForwardedPath | undefined {
  if (!methods.has(method) || !plainPath.test(path)) return undefined
  const segments = decoded(path.slice(1))
  if (!segments || segments.length < 2 || segments.some((segment) => segment === '' || climbs(segment)))
    return undefined
  const [projectKey = '', first = '', second = ''] = segments
  // Segments with an underscore are no names of the platform, but our own.
  if (!isProjectKey(projectKey) || first.startsWith('_')) return undefined
  if (first !== 'in-store') return {projectKey, isMine: first === 'me'}
  const storeKey = /^key=(.+)$/.exec(second)?.[1]
  return storeKey === undefined ? undefined : {projectKey, storeKey, isMine: segments[3] === 'me'}
}

function decoded(path: string): readonly string[] | undefined {
  try {
    const segments = path.split('/').map(decodeURIComponent)
    return segments.some((segment) => /\p{Cc}/u.test(segment)) ? undefined : segments
  } catch {
    return undefined
  }
}
