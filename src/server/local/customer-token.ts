import {type ApiClient, heldBy} from '../../api/documents/api-client.js'
import {issueTokens, orGone, type TokenAnswer} from '../../api/oauth/tokens.js'
import type {Runtime} from '../../api/operation/context.js'
import {credentialForSession} from '../../api/operation/effects.js'
import {defined} from '../../domain/equal.js'
import {ApiError, notFound} from '../../domain/errors.js'
import {grantedScopes} from '../../oauth/scopes.js'
import {REALM} from '../../store/store.js'
import type {CustomerTokenRequest} from './admin-requests.js'
import {localContext} from './local-context.js'
import type {LocalClient} from './local-files.js'
import {namedCustomer} from './named-customer.js'

const seconds = 600

/** What a customer's token is ordered with; callers over HTTP may name scopes of the customer's own only. */
type TokenOrder = Omit<CustomerTokenRequest, 'scopes'> & {readonly scopes?: readonly string[]}

/**
 * Issues a short-lived token for a customer of a local project, as a sign-in does: limited to the store if there is
 * one, and refused if a sign-in would be. Only for the local administration. Throws ResourceNotFound and
 * InvalidOperation.
 */
export async function customerToken(
  runtime: Runtime,
  local: LocalClient,
  {projectKey, customer, storeKey, scopes = ['manage_my_quotes']}: TokenOrder,
): Promise<TokenAnswer> {
  const context = await localContext(runtime, projectKey, storeKey)
  const found = await namedCustomer(context, customer)
  const [store] = found.stores
  if (store !== undefined && storeKey === undefined) {
    const message = `The customer belongs to the store '${store.key}' and signs in there only.`
    throw ApiError.of('InvalidOperation', {message})
  }
  const client = await runtime.state.get<ApiClient>(REALM, 'api-client', local.clientId)
  if (!client) throw new Error(`the client ${local.clientId} is missing`)
  const refusal = () => notFound(`The Customer with ID '${found.id}' was not found.`)
  const credential = await credentialForSession(context, found.id).catch(orGone(refusal))
  const grant = {
    projectKey,
    scopes: scopes.map((name) => `${name}:${projectKey}`),
    customerId: found.id,
    sessionEpoch: credential.sessionEpoch,
    ...defined({storeKey}),
  }
  const shortLived = {...runtime, settings: {...runtime.settings, accessTokenSeconds: seconds}}
  return issueTokens({...context, runtime: shortLived}, client, grant, false).catch(orGone(refusal))
}

/** A token of the project's first client, as it would get by client credentials. Throws invalid_scope. */
export async function clientToken(
  runtime: Runtime,
  local: LocalClient,
  {projectKey, scopes = []}: {readonly projectKey: string; readonly scopes?: readonly string[]},
): Promise<string> {
  const context = await localContext(runtime, projectKey)
  const client = await runtime.state.get<ApiClient>(REALM, 'api-client', local.clientId)
  if (!client) throw ApiError.of('invalid_client', {})
  const requested = scopes.map((name) => `${name}:${projectKey}`).join(' ')
  const grant = {projectKey, scopes: grantedScopes(heldBy(client, runtime.secrets).scopes, requested, projectKey)}
  return (await issueTokens(context, client, grant, false)).access_token
}
