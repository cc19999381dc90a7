import {ApiError} from '../../domain/errors.js'
import type {Principal} from '../operation/context.js'
import type {Exchange} from './exchange.js'
import {parseFormBody} from './form-body.js'
import {checkMediaType} from './media-type.js'

/** Every parameter of the authorization service, and those of client authentication that it does not support. */
const oauthParameters = [
  'grant_type',
  'scope',
  'username',
  'password',
  'refresh_token',
  'anonymous_id',
  'token',
  'token_type_hint',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]

const invalidRequest = (message: string): ApiError => ApiError.of('invalid_request', {message})

export interface OauthForm {
  readonly form: ReadonlyMap<string, string>
  /** For the log: why an ill-formed form was read as an empty one. */
  readonly note?: string
}

/**
 * The parameters of a request to the authorization service: from the body alone, each at most once (decision 25). A
 * client that authenticates by its header may repeat its id in the body, but not its secret (RFC 6749 §2.3).
 */
export async function readOauthForm(exchange: Exchange, principal: Principal): Promise<OauthForm> {
  try {
    return {form: await strictForm(exchange, principal)}
  } catch (error) {
    const isUnreadable = error instanceof ApiError && error.is('invalid_request')
    if (!exchange.operation.lenientBody || !isUnreadable) throw error
    return {form: new Map(), note: `nothing was done: ${error.message}`}
  }
}

async function strictForm({operation, header, query, body}: Exchange, principal: Principal) {
  checkMediaType(header('content-type'), 'application/x-www-form-urlencoded')
  if (header('content-encoding') !== undefined) throw invalidRequest('Bodies must come without a content encoding.')
  const misplaced = oauthParameters.find((name) => query.has(name))
  if (misplaced !== undefined) throw invalidRequest(`The parameter ${misplaced} belongs into the body.`)
  const own = operation.formParameters ?? []
  const form = parseFormBody(await body(), [...own, 'client_id', 'client_secret'])
  const clientId = form.get('client_id')
  const isSame = principal.kind === 'basic' && (clientId === undefined || clientId === principal.client.id)
  if (!isSame) throw invalidRequest('The parameter client_id names another client than the Authorization header.')
  if (form.has('client_secret')) throw invalidRequest('The client authenticates in one way only: by HTTP Basic.')
  return new Map([...form].filter(([name]) => own.includes(name)))
}
