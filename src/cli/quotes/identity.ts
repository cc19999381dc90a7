import type {Client} from '../../client/client.js'
import {administer} from '../../client/local/admin.js'
import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {customerOf} from '../customers/calls.js'
import {type FlagValues, textFlag} from '../input/flags.js'
import {parseRef} from '../input/refs.js'
import {secretFromFlags} from '../input/secret-inputs.js'
import {Failure, usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import type {ResolvedTarget} from '../target/target.js'
import {savedSession} from '../tokens/sessions.js'

/** Quotes belong to a customer, so these commands act with a token that is bound to it, or on its behalf. */

export const identityFlags = {
  as: textFlag(
    'REF|session:NAME|file:PATH',
    "Act as this customer: by REF (at a local target with a token for ten minutes; elsewhere for the customer, with the scopes view_quotes and manage_quotes of the API client), by a session saved with `token issue --flow password --save`, or by the customer's token in a file that only you can read.",
  ),
}

export type IdentityFlags = FlagValues<typeof identityFlags>

type IdentityRun = Pick<Run<IdentityFlags>, 'flags' | 'io' | 'folders'> & {readonly resolved: ResolvedTarget}

/** A token that is issued for `--as` lives ten minutes. */
const renewalMs = 9 * 60_000

const signIn = (name: string): string =>
  `Issue one: frontdesk token issue --flow password --scope manage_my_quotes --email ADDRESS --save ${name}`

/** The customer: by reference, or by the token of a saved session or a file. */
type Actor = Readonly<Record<'by' | 'name', string>> & {readonly by: 'reference' | 'session' | 'file'}

function actorOf(as: string): Actor {
  const [, kind, name = ''] = /^(session|file):(.*)$/s.exec(as) ?? []
  if (kind === undefined) return {by: 'reference', name: as}
  if (name === '') throw usage(`--as ${kind}: names nobody.`, 'Write --as session:NAME or --as file:PATH.')
  return {by: kind === 'session' ? 'session' : 'file', name}
}

export type Identity = ReturnType<typeof asCustomer>

/**
 * The target with the customer's token instead of the client's credentials. `ready` reads or issues the token, and renews
 * an issued one before it expires: call it before the client is opened, since an opened local state does not see what
 * others write to it.
 */
export function asCustomer(options: IdentityRun) {
  const {resolved, flags, io} = options
  const asClient = {resolved, ready: async () => '', speaking: async (client: Client) => client}
  const actor = flags.as === undefined ? undefined : actorOf(flags.as)
  // A token of the environment (FRONTDESK_TOKEN) may be a customer's; a client's credentials never are.
  if (!actor && resolved.target.credentials?.kind === 'token') return asClient
  const isIssued = actor?.by === 'reference'
  if (isIssued && resolved.target.kind === 'remote') {
    const ref = parseRef(actor.name)
    let customer: Promise<Customer> | undefined
    const speaking = async (client: Client): Promise<Client> => {
      customer ??= customerOf(client, ref)
      return onBehalf(client, (await customer).id)
    }
    return {...asClient, speaking}
  }
  let held: {readonly token: Promise<string>; readonly since: number} | undefined
  const ready = (): Promise<string> => {
    const now = io.clock()
    if (!held || (isIssued && now - held.since >= renewalMs)) held = {token: tokenOf(actor, options), since: now}
    return held.token
  }
  const target = {...resolved.target, credentials: {kind: 'token', token: ready} as const}
  return {...asClient, resolved: {...resolved, target}, ready}
}

async function tokenOf(actor: Actor | undefined, options: IdentityRun): Promise<string> {
  if (actor?.by === 'session') return sessionToken(actor.name, options)
  if (actor?.by === 'reference') return issuedToken(actor.name, options)
  const given = await secretFromFlags({file: actor?.name}, options.io)
  if (given !== undefined) return given
  throw new Failure('denied', 'NoCustomer', 'Quotes belong to a customer, and the credentials are those of a client.', {
    hints: ['Add --as REF, --as session:NAME or --as file:PATH.', signIn('NAME')],
  })
}

function sessionToken(name: string, {io, folders, resolved}: IdentityRun): string {
  const {accessToken, scope, expiresAt, flow} = savedSession(folders.cache, name, resolved)
  const scopes = scope.split(' ')
  const {projectKey} = resolved.target
  const denied = (code: string, message: string, hint: string): Failure =>
    new Failure('denied', code, message, {hints: [hint]})
  if (!scopes.some((one) => one.startsWith('customer_id:'))) {
    const message = `The session '${name}' has no customer_id: its ${flow} flow binds it to no customer.`
    throw denied('NotACustomer', message, signIn(name))
  }
  if (!scopes.some((one) => one === `manage_my_quotes:${projectKey}` || one === `manage_project:${projectKey}`)) {
    throw denied('insufficient_scope', `The session '${name}' lacks the scope manage_my_quotes.`, signIn(name))
  }
  if (expiresAt <= io.clock()) {
    const message = `The session '${name}' ended at ${new Date(expiresAt).toISOString()}.`
    throw denied('SessionEnded', message, `Run: frontdesk token refresh ${name}`)
  }
  return accessToken
}

async function issuedToken(ref: string, {resolved: {target}}: IdentityRun): Promise<string> {
  const customer = parseRef(ref)
  if (target.kind !== 'embedded') throw new Error('--as issues a token on the embedded target only')
  const {dataDir, projectKey, storeKey} = target
  try {
    const body = {projectKey, customer, ...defined({storeKey})}
    const {access_token: token} = await administer(dataDir, 'issueCustomerToken', {body, isRepeatable: true})
    return token
  } catch (error) {
    if (!(error instanceof ApiError) || !error.is('InvalidOperation')) throw ambiguous(error)
    throw new Failure('denied', 'StoreNeeded', error.message, {hints: ['Add --store KEY.'], cause: error})
  }
}

/** The local administration's error for an ambiguous reference as a conflict. Other errors unchanged. */
export function ambiguous(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.is('InvalidInput')) return error
  return new Failure('conflict', 'ReferenceAmbiguous', error.message, {hints: ['Use an id or key.'], cause: error})
}

/** The API's insufficient_scope error explained for the customer's token. Other errors unchanged. */
export function explained(error: Error): Error {
  if (!(error instanceof ApiError) || !error.is('insufficient_scope')) return error
  const unbound = error.message.includes('customer_id')
  return new Failure(
    'denied',
    error.code,
    unbound ? 'The token has no customer_id: it is not bound to a customer.' : error.message,
    {
      hints: [
        unbound
          ? signIn('NAME')
          : "A customer's token of the password flow with the scope manage_my_quotes is needed; for one of a store's sign-in, add --store KEY.",
      ],
      details: error.errors,
      cause: error,
    },
  )
}

/**
 * A client whose calls about My Quotes go to the quotes of the project, of this customer only: an API client may read
 * them with view_quotes, and answer them with manage_quotes where the target has that. Source: API › Quotes.
 */
function onBehalf(client: Client, customerId: string): Client {
  const call: Client['call'] = async (operation, params, options = {}) => {
    const {query = {}, body, ...rest} = options
    const isOfOne = operation.path.includes('{id}') || operation.path.includes('{key}')
    const {inStore: _, ...declared} = operation
    const ofProject = {...declared, path: operation.path.replace('/me/', '/') as typeof operation.path}
    const owned = {
      ...query,
      where: [...[query['where'] ?? []].flat(), 'customer(id = :owner)'],
      'var.owner': customerId,
    }
    const further = {query: isOfOne ? query : owned, ...defined({body: body && sellersBody(body as Update)})}
    const reply = await client.call(ofProject, params, {...rest, ...further}).catch((error: unknown) => {
      throw operation.method === 'POST' ? refusal(error) : error
    })
    const holder = isOfOne && operation.method === 'GET' ? (reply as Quote).customer?.id : customerId
    if (holder === customerId) return reply
    const [name = ''] = Object.values(params as Readonly<Record<string, string>>)
    throw ApiError.of('ResourceNotFound', {message: `The customer has no quote '${name}'.`})
  }
  return {...client, call}
}

interface Update {
  readonly version: number
  readonly actions: readonly UpdateAction[]
}

const sellersBody = ({version, actions}: Update): Update => ({
  version,
  actions: actions.map((action) =>
    action.action === 'changeMyQuoteState' ? {...action, action: 'changeQuoteState'} : action,
  ),
})

/** How targets say that they know no seller's answers. */
const unserved = [404, 405, 501]

function refusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const isUnserved = unserved.includes(error.statusCode)
  if (!isUnserved && error.statusCode !== 403) return error
  return isUnserved
    ? new Failure('denied', 'QuotesNotAnswered', 'On this target only the customer can answer a quote.', {
        hints: ['Let the customer sign in at the shop and answer it there.'],
        cause: error,
      })
    : new Failure('denied', error.code, 'The API client may not answer quotes: it lacks the scope manage_quotes.', {
        hints: ['Let the customer answer it at the shop, or ask an administrator for the scope.'],
        details: error.errors,
        cause: error,
      })
}
