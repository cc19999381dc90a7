import {introspectToken, requestToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import type {Credentials} from '../../client/target.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isoTimeOf} from '../../domain/iso-time.js'
import {cellText} from '../output/fields.js'
import {Failure} from '../process/failure.js'

/**
 * Requests a token as the API client of the target and introspects it. If the service has no introspection, the token
 * response gives scope and expiry (ISO 8601; undefined if the service does not say). Throws WrongProject for a token with scopes of other projects only.
 */
export async function testTarget(client: Client, credentials: Credentials | undefined, clock: () => number) {
  const token = await client.form(requestToken, {grant_type: 'client_credentials'})
  checkScope(token.scope, client.projectKey)
  const answer = await client.form(introspectToken, {token: token.access_token}).catch((error: unknown) => {
    // The credentials were accepted a moment ago, so a refusal concerns introspection itself.
    if (error instanceof ApiError && error.statusCode < 500) return undefined
    throw error
  })
  if (answer?.active) {
    return {clientId: answer.client_id, scope: answer.scope, expiresAt: isoTimeOf(answer.exp)}
  }
  return {
    clientId: credentials?.kind === 'client' ? credentials.clientId : undefined,
    scope: typeof token.scope === 'string' ? token.scope : '',
    expiresAt: isoTimeOf(clock() + token.expires_in * 1000),
  }
}

/** What a target proves of itself: the client behind its credentials, unless they are a token, and the project. */
export async function provenTarget(client: Client, credentials: Credentials | undefined, clock: () => number) {
  const identity = credentials?.kind === 'token' ? undefined : await testTarget(client, credentials, clock)
  return {identity, project: await foundProject(client, identity?.scope)}
}

/** The projects that scopes such as `view_customers:shop` or `manage_orders:shop:store` name. */
const projectsOf = (scope: unknown): ReadonlySet<string> =>
  new Set(
    (typeof scope === 'string' ? scope.split(/\s+/) : [])
      .filter((one) => !/^(customer_id|anonymous_id):/.test(one))
      .flatMap((one) => one.split(':')[1] ?? []),
  )

/** Throws WrongProject if the scopes name only other projects. Scopes that name no project prove nothing. */
export function checkScope(scope: unknown, projectKey: string): void {
  const projects = projectsOf(scope)
  if (projects.size === 0 || projects.has(projectKey)) return
  const named = [...projects].slice(0, 3).join(', ')
  throw new Failure('denied', 'WrongProject', `The credentials open ${named}, not the project '${projectKey}'.`, {
    hints: ['Correct the project key, or use the credentials of that project: `frontdesk whoami --origins`.'],
  })
}

const noProject = (what: string): Failure =>
  new Failure('notFound', 'NoProject', what, {
    hints: ['Check the project key and the address: `frontdesk whoami --origins`.'],
  })

/** What an answer of the API holds; undefined where reading is forbidden. Throws `missing` for a 404 of the API. */
async function readable(
  client: Client,
  path: string,
  missing: string,
  fits: (body: Readonly<Record<string, unknown>>) => boolean = () => true,
) {
  const answer = await client.raw('GET', path)
  const {status, body} = answer
  if (status === 200 && isObject(body) && fits(body)) return body
  const refusal = refusalOf(answer)
  if (status === 404 && refusal.foreign === undefined) throw noProject(missing)
  if (status !== 403 || refusal.foreign !== undefined) throw refusal
  return undefined
}

/**
 * Asks the API for the project and describes what proved that it exists: a successful read of its settings or, since not
 * every client may read them, of its customers, or scopes that name it (`scope`) where both are forbidden. Throws for any
 * other answer: another project, no project, the page of a firewall.
 */
export async function foundProject(client: Client, scope: string | undefined): Promise<string> {
  const {projectKey, storeKey} = client
  const project = await readable(client, `/${projectKey}`, `There is no project '${projectKey}'.`)
  if (project) {
    const {key = projectKey, version} = project
    if (key !== projectKey)
      throw noProject(`The address answers for the project '${cellText(key)}', not '${projectKey}'.`)
    return typeof version === 'number' ? `${projectKey}, version ${version}` : projectKey
  }
  const store = storeKey === undefined ? '' : `/in-store/key=${encodeURIComponent(storeKey)}`
  const path = `/${projectKey}${store}/customers?limit=1`
  const isPage = (body: Readonly<Record<string, unknown>>): boolean => Array.isArray(body['results'])
  if (await readable(client, path, `There is no project '${projectKey}' with that store.`, isPage))
    return `${projectKey}, by its customers alone`
  if (scope) return `${projectKey}, by the scopes alone, which can neither read nor search it`
  const message = `The token opens neither the settings nor the customers of '${projectKey}'.`
  throw new Failure('denied', 'ProjectUnproven', message, {
    hints: ['It may belong to another project, or lack the scopes view_project_settings and view_customers.'],
  })
}
