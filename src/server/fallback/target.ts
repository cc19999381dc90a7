import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isProjectKey} from '../../domain/project/project.js'
import {isLoopback} from '../http/bind.js'
import type {ForwardedPath} from '../http/fallback.js'

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

/**
 * Reads the address of a fallback: its origin, and what stands before every forwarded path. Throws InvalidSetup for one that
 * cannot be used; the address itself is not repeated.
 */
export function fallbackTarget({url, authorization}: FallbackOptions) {
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

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Unreserved characters and three that the platform's paths use (RFC 3986 §2.3). None has an encoding or a second meaning. */
const plainSegment = /^(?!\.{1,2}$)[A-Za-z0-9_.~=:@-]+$/

/**
 * Reads a path that may be handed on: of a project, each decoded segment in an alphabet that means the same to every
 * reader. Undefined for any other.
 */
export function forwardedPath(method: string, path: string): ForwardedPath | undefined {
  const segments = methods.has(method) && path.startsWith('/') ? decoded(path.slice(1)) : undefined
  if (!segments?.every((segment) => plainSegment.test(segment))) return undefined
  const [projectKey = '', first = '', second = ''] = segments
  // Segments with an underscore are no names of the platform, but our own.
  if (segments.length < 2 || !isProjectKey(projectKey) || first.startsWith('_')) return undefined
  const isPlaced = first === 'in-store'
  const storeKey = isPlaced ? /^key=(.+)$/.exec(second)?.[1] : undefined
  if (isPlaced && storeKey === undefined) return undefined
  const below = segments.slice(isPlaced ? 3 : 1)
  const isMine = below[0] === 'me'
  const resource = isMine ? below.slice(1) : below[0] === 'as-associate' ? below.slice(4) : below
  return {projectKey, isMine, resource, path: `/${segments.join('/')}`, ...defined({storeKey})}
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}
