import type {Quote} from '../../domain/quotes/quote.js'
import {localServer} from './local-server.js'

/** What the administration of the state on this machine does for quotes: through its server, or by itself. */

/** How a command names a customer, in parts. */
export interface NamedCustomer {
  readonly by: 'id' | 'key' | 'email' | 'number'
  readonly value: string
}

export interface LocalProject {
  readonly dataDir: string
  readonly projectKey: string
}

/**
 * Makes a pending quote of one of the customer's carts, named by its key. Throws ApiError: ResourceNotFound,
 * InvalidOperation for a cart that no quote can be made of, DuplicateField for a key in use.
 */
export async function seedLocalQuote(
  {dataDir, projectKey}: LocalProject,
  wish: {readonly customer: NamedCustomer; readonly cart: string; readonly key?: string},
): Promise<Quote> {
  const body = {projectKey, ...wish}
  const server = await localServer(dataDir)
  if (server) {
    const {callAdmin} = await import('./admin.js')
    return (await callAdmin(dataDir, server.origin, 'POST', '/_admin/quotes', body)) as Quote
  }
  const [{openPlatform}, {seedQuote}] = await Promise.all([
    import('../../server/local/platform.js'),
    import('../../server/local/seed-quote.js'),
  ])
  const platform = await openPlatform({dataDir, writer: 'one-shot'})
  try {
    return await seedQuote(platform, body)
  } finally {
    await platform.state.close()
  }
}

/**
 * A token that lives ten minutes and lets its bearer answer the customer's quotes, bound to the store if one is named.
 * Throws ApiError: ResourceNotFound, InvalidOperation for a customer who could not sign in there.
 */
export async function localCustomerToken(
  {dataDir, projectKey}: LocalProject,
  customer: NamedCustomer,
  storeKey?: string,
): Promise<string> {
  const body = {projectKey, customer, ...(storeKey === undefined ? {} : {storeKey})}
  const server = await localServer(dataDir)
  if (server) {
    const {callAdmin} = await import('./admin.js')
    const answer = await callAdmin(dataDir, server.origin, 'POST', '/_admin/customer-tokens', body, true)
    return (answer as {readonly access_token: string}).access_token
  }
  const [{openPlatform}, {customerToken}] = await Promise.all([
    import('../../server/local/platform.js'),
    import('../../server/local/customer-token.js'),
  ])
  const platform = await openPlatform({dataDir, writer: 'one-shot'})
  try {
    return (await customerToken(platform, dataDir, body)).access_token
  } finally {
    await platform.state.close()
  }
}
