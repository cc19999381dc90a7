import {defined} from '../../domain/equal.js'
import {hasStatus, inTime, notAsked, objectIn, type Probed, type ProbeOptions, probe, redirect} from './endpoint.js'
import type {CheckStep, Fail} from './runner.js'

/**
 * What the API relies on when it asks about a token (RFC 7662); a sentence for everything that is not as it should be.
 */

export interface IntrospectionEndpoint {
  readonly url: string
  readonly header: string | undefined
  readonly token: string | undefined
  readonly projectKey: string
  readonly requests: number
  /** For one answer, the network included. */
  readonly budgetMs: number
  readonly timeoutMs?: number
}

const unknown = 'frontdesk-check-an-unknown-token'
const wrongHeader = 'Bearer frontdesk-check-a-wrong-header'
const formType = 'application/x-www-form-urlencoded'

interface Sent extends Omit<ProbeOptions, 'timeoutMs'> {
  readonly token?: string
  readonly authorization?: string | undefined
  readonly more?: Readonly<Record<string, string>>
  readonly query?: string
}

/** A request as the API sends it, but for what `sent` says. */
function post(on: IntrospectionEndpoint, sent: Sent): Promise<Probed> {
  const {token = unknown, authorization = on.header, more = {}, query = '', ...options} = sent
  return probe(on.url + query, {
    method: 'POST',
    headers: {'content-type': formType, ...(authorization ? {authorization} : {}), ...more},
    body: new URLSearchParams({token}).toString(),
    ...options,
    timeoutMs: on.timeoutMs,
  })
}

/** Whether the API could use an answer at all: with any other its call would end with ExternalOAuthFailed. */
function isUsable(fail: Fail, what: string, answer: Probed): boolean {
  const {status} = answer
  if (status !== 200) fail(`${what} is answered with ${status}${redirect(answer)}: calls of the API would fail.`)
  else if (objectIn(answer)) return true
  else fail(`${what} is not answered with a JSON object: calls of the API would fail.`)
  return false
}

function isInactive(fail: Fail, what: string, answer: Probed): void {
  if (isUsable(fail, what, answer) && objectIn(answer)?.['active'] !== false)
    fail(`${what} is not answered with "active": false.`)
}

async function tellsNothing(on: IntrospectionEndpoint, fail: Fail): Promise<void> {
  const members = Object.keys(objectIn(await post(on, {})) ?? {}).filter((name) => name !== 'active')
  if (members.length > 0) fail(`An inactive token is answered with ${members.join(', ')} as well.`)
}

async function headerCounts(on: IntrospectionEndpoint, fail: Fail): Promise<string | undefined> {
  if (on.header === undefined) return notAsked('--authorization-file')
  hasStatus(fail, 'A request without the header', await post(on, {authorization: ''}), 401, 403)
  hasStatus(fail, 'A wrong header', await post(on, {authorization: wrongHeader}), 401, 403)
  return undefined
}

const withToken =
  (step: (on: IntrospectionEndpoint & {readonly token: string}, fail: Fail) => Promise<string | undefined>) =>
  async (on: IntrospectionEndpoint, fail: Fail): Promise<string | undefined> =>
    on.token === undefined ? notAsked('--token-file') : step({...on, token: on.token}, fail)

const onlyForms = withToken(async (on, fail) => {
  const {token} = on
  const query = `?${new URLSearchParams({token}).toString()}`
  const others: readonly (readonly [string, Sent])[] = [
    ['A token in the query', {query, body: ''}],
    ['A GET', {method: 'GET', query, body: ''}],
    ['JSON', {body: JSON.stringify({token}), more: {'content-type': 'application/json'}}],
  ]
  for (const [what, sent] of others) {
    if (objectIn(await post(on, sent))?.['active'] === true) fail(`${what} is answered like a form.`)
  }
  return undefined
})

async function correlation(on: IntrospectionEndpoint, fail: Fail): Promise<string> {
  const id = 'frontdesk-check/1'
  const [plain, traced] = [await post(on, {}), await post(on, {more: {'x-correlation-id': id}})]
  if (plain.status !== traced.status || plain.body !== traced.body)
    fail('A request with X-Correlation-ID is answered differently.')
  return traced.headers['x-correlation-id'] === id ? 'repeated in the answer' : 'not repeated in the answer'
}

const activeToken = withToken(async (on, fail) => {
  const answer = await post(on, {token: on.token})
  if (!isUsable(fail, 'The token', answer)) return undefined
  const {active, scope} = objectIn(answer) ?? {}
  if (active !== true) fail(`"active" is ${active === undefined ? 'missing' : JSON.stringify(active)}, not true.`)
  if (typeof scope !== 'string') fail('"scope" is no string: the token opens nothing.')
  return undefined
})

/** Larger values are milliseconds. */
const maxSeconds = 1e11

const times = withToken(async (on, fail) => {
  const answer = await post(on, {token: on.token})
  const {exp, nbf, iat} = objectIn(answer) ?? {}
  for (const [name, value] of Object.entries({exp, nbf, iat})) {
    if (value !== undefined && typeof value !== 'number') fail(`"${name}" is no number: the token counts as inactive.`)
  }
  const milliseconds = typeof exp === 'number' ? (exp > maxSeconds ? exp : exp * 1000) : undefined
  if (milliseconds !== undefined && milliseconds <= Date.now()) fail('"exp" is over: the token counts as inactive.')
  if (!/\bjson\b/i.test(String(answer.headers['content-type'] ?? ''))) fail('The content type is not JSON.')
  return exp === undefined ? 'no exp: answers are kept for up to 30 minutes' : undefined
})

/** Scopes of the project, and the customer or visitor that a token is bound to; the API ignores all others. */
const scopes = withToken(async (on, fail) => {
  const {scope} = objectIn(await post(on, {token: on.token})) ?? {}
  const all = typeof scope === 'string' ? scope.split(' ').filter((part) => part !== '') : []
  const counts = (part: string): boolean => {
    const [name = '', project] = part.split(':')
    return name === 'customer_id' || name === 'anonymous_id' || project === on.projectKey
  }
  const ignored = all.filter((part) => !counts(part))
  const own = all.length - ignored.length
  if (own === 0) fail(`No scope is of the project ${on.projectKey}: every call would be refused.`)
  return `${own} of ${all.length} count${ignored.length === 0 ? '' : `; ignored: ${ignored.join(' ')}`}`
})

/** Texts that the API would send on, since a bearer token could look like them. */
const hostileTokens = [
  'x'.repeat(9_000),
  'eyJhbGciOiJub25lIn0.e30.',
  '__proto__',
  '../../etc/passwd',
  'null',
  '0',
  'a==',
]

async function hostile(on: IntrospectionEndpoint, fail: Fail): Promise<void> {
  for (const token of hostileTokens)
    isInactive(fail, `The token ${JSON.stringify(token.slice(0, 24))}`, await post(on, {token}))
}

/** The requests of the API, right and wrong ones. */
export const introspectionSteps: readonly CheckStep<IntrospectionEndpoint>[] = [
  ['an unknown token is inactive', async (on, fail) => isInactive(fail, 'An unknown token', await post(on, {}))],
  ['an inactive answer tells nothing else', tellsNothing],
  ['the Authorization header counts', headerCounts],
  ['a correlation id changes nothing', correlation],
  ['a token is active, with a scope', activeToken],
  ['the other members have their form', times],
  ['scopes of the project are among them', scopes],
  ['only a form in the body counts', onlyForms],
  ['a hostile token is inactive, not an error', hostile],
  [
    'answers come in time',
    (on, fail) =>
      inTime(
        {requests: on.requests, share: 0.99, limitMs: on.budgetMs},
        () => post(on, defined({token: on.token})),
        fail,
      ),
  ],
]
