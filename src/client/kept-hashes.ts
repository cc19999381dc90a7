import {defined, memberOf} from '../domain/equal.js'
import type {Client} from './client.js'
import {refusalOf} from './transports/refusal.js'

const path = ['paths', '/{projectKey}/customers', 'post', 'requestBody', 'content', 'application/json', 'schema']

/**
 * Whether the server keeps a ready hash as the password of a new customer. Only a server that declares the member does:
 * others ignore what they do not know, and the customer would have no password. The declaration is asked for instead of
 * the kind of the profile, since a local server is reached by an address too. Throws for an answer that tells nothing.
 * Decision 42.
 */
export async function keepsPasswordHashes(client: Client, signal?: AbortSignal): Promise<boolean> {
  const answer = await client.raw('GET', '/openapi.json', defined({signal}))
  if (answer.status === 429 || answer.status >= 500) throw refusalOf(answer)
  const draft = [...path, 'properties'].reduce(memberOf, answer.body)
  return answer.status === 200 && memberOf(draft, 'passwordHash') !== undefined
}
