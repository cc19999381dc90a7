import {ApiError} from '../../domain/errors.js'
import {isSecretMember} from '../../domain/secret-members.js'
import {limits} from '../../work/limits.js'
import type {Principal} from '../operation/context.js'
import type {Exchange} from './exchange.js'

/** Parameters that may also stand in the query: none of them is confidential. Source: API › Authorization. */
const openParameters = ['grant_type', 'scope']

/** Parameters of client authentication that stand in no body here (decision 25). */
const clientParameters = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']

const invalidRequest = (message: string): ApiError => ApiError.of('invalid_request', {message})

/** `note`, for the log: why an ill-formed form was read as an empty one. */
type ReadForm = {readonly form: ReadonlyMap<string, string>; readonly note?: string}

/**
 * The parameters of a request to the authorization service, each with one value (decisions 25 and 64): from the body, and
 * what is not confidential from the query as well. A client that authenticates by its header may repeat its id in the body,
 * but not its secret (RFC 6749 §2.3).
 */
export async function readOauthForm(exchange: Exchange, principal: Principal): Promise<ReadForm> {
  try {
    return {form: await strictForm(exchange, principal)}
  } catch (error) {
    const isUnreadable = error instanceof ApiError && error.is('invalid_request')
    if (!exchange.operation.lenientBody || !isUnreadable) throw error
    return {form: new Map(), note: `nothing was done: ${error.message}`}
  }
}

async function strictForm({operation, header, query, body}: Exchange, principal: Principal) {
  const own = operation.formParameters ?? []
  const open = new Map(
    openParameters.flatMap((name) => {
      const values = own.includes(name) ? query.get(name) : undefined
      if (values?.some((value) => value !== values[0])) throw twice(name)
      return values?.[0] ? [[name, values[0]]] : []
    }),
  )
  const type = header('content-type')
  const bytes = type === undefined && open.size > 0 ? await body() : undefined
  // A request whose parameters stand in the query may have no body, and then no type.
  if (bytes?.length !== 0) checkMediaType(type, 'application/x-www-form-urlencoded')
  if (header('content-encoding') !== undefined) throw invalidRequest('Bodies must come without a content encoding.')
  const misplaced = [...query.keys()].find(
    (name) =>
      (own.includes(name) && !openParameters.includes(name)) || clientParameters.includes(name) || isSecretMember(name),
  )
  if (misplaced !== undefined) throw invalidRequest(`The parameter ${misplaced} belongs into the body.`)
  const form = parseFormBody(bytes ?? (await body()), [...own, 'client_id', 'client_secret'])
  const clientId = form.get('client_id')
  const isSame = principal.kind === 'basic' && (clientId === undefined || clientId === principal.client.id)
  if (!isSame) throw invalidRequest('The parameter client_id names another client than the Authorization header.')
  if (form.has('client_secret')) throw invalidRequest('The client authenticates in one way only: by HTTP Basic.')
  for (const [name, value] of form) {
    if ((open.get(name) ?? value) !== value) throw twice(name)
    if (own.includes(name)) open.set(name, value)
  }
  return open
}

const twice = (name: string): ApiError => invalidRequest(`The parameter ${name} has different values.`)

const utf8 = new TextDecoder('utf-8', {fatal: true})

/**
 * Reads `application/x-www-form-urlencoded` strictly: each known parameter with one value, well-formed percent escapes of
 * valid UTF-8 without NUL (decision 25). Blanks and colons may come raw, as the public SDK sends them.
 */
export function parseFormBody(bytes: Uint8Array, known: readonly string[]): ReadonlyMap<string, string> {
  const text = decoded(bytes)
  const form = new Map<string, string>()
  const pairs = text === '' ? [] : text.split('&')
  if (pairs.length > limits.formParameters)
    throw invalidRequest(`The body has more than ${limits.formParameters} parameters.`)
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = unescaped(at < 0 ? pair : pair.slice(0, at), 'A parameter name')
    if (!known.includes(name)) continue
    const value = unescaped(at < 0 ? '' : pair.slice(at + 1), `The parameter ${name}`)
    if ((form.get(name) ?? value) !== value) throw twice(name)
    form.set(name, value)
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return form
}

function unescaped(text: string, what: string): string {
  try {
    const value = /[+%]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
    if (value.includes('\0')) throw invalidRequest(`${what} holds a NUL.`)
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalidRequest(`${what} is not well encoded.`)
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest('The body is not valid UTF-8.')
  }
}

/** Throws unless a Content-Type is the wanted one, its charset UTF-8 or absent. The error does not echo the value. */
export function checkMediaType(given: string | undefined, wanted: string): void {
  if (given === wanted) return
  const [type = '', ...parameters] = (given ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charsets.every((charset) => charset.slice('charset='.length).replaceAll('"', '') === 'utf-8')
  if (type === wanted && isUtf8) return
  const message = `The body must have the content type ${wanted}${isUtf8 ? '' : ' in UTF-8'}.`
  throw ApiError.of(wanted === 'application/json' ? 'UnsupportedMediaType' : 'invalid_request', {message})
}
