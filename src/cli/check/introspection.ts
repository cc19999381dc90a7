import {defined} from '../../domain/equal.js'
import {
  checkEndpoint,
  inTime,
  notAsked,
  objectIn,
  type Probed,
  type ProbeOptions,
  probe,
  redirect,
  wrongStatus,
} from './endpoint.js'
import type {CheckStep, Run, StepOutcome} from './runner.js'

/**
 * What the API relies on when it asks about a token (RFC 7662); a sentence for everything that is not as it should be.
 */

export interface IntrospectionEndpoint {
  readonly url: string
  /** The Authorization header that the project is configured with. */
  readonly header: string | undefined
  /** A token that is active. */
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

/** Why the API could not use an answer at all: its call would end with ExternalOAuthFailed. */
function unusable(what: string, answer: Probed): string[] {
  const {status} = answer
  if (status !== 200) return [`${what} is answered with ${status}${redirect(answer)}: calls of the API would fail.`]
  return objectIn(answer) ? [] : [`${what} is not answered with a JSON object: calls of the API would fail.`]
}

const inactive = (what: string, answer: Probed): string[] => {
  const wrong = unusable(what, answer)
  if (wrong.length > 0) return wrong
  return objectIn(answer)?.['active'] === false ? [] : [`${what} is not answered with "active": false.`]
}

async function unknownToken(on: IntrospectionEndpoint): Promise<StepOutcome> {
  return {failures: inactive('An unknown token', await post(on, {}))}
}

async function tellsNothing(on: IntrospectionEndpoint): Promise<StepOutcome> {
  const members = Object.keys(objectIn(await post(on, {})) ?? {}).filter((name) => name !== 'active')
  return {failures: members.length === 0 ? [] : [`An inactive token is answered with ${members.join(', ')} as well.`]}
}

async function headerCounts(on: IntrospectionEndpoint): Promise<StepOutcome> {
  if (on.header === undefined) return notAsked('--authorization-file')
  const refused = (what: string, answer: Probed) => wrongStatus(what, answer, 401, 403)
  const [missing, wrong] = [await post(on, {authorization: ''}), await post(on, {authorization: wrongHeader})]
  return {failures: [...refused('A request without the header', missing), ...refused('A wrong header', wrong)]}
}

async function onlyForms(on: IntrospectionEndpoint): Promise<StepOutcome> {
  if (on.token === undefined) return notAsked('--token-file')
  const {token} = on
  const query = `?${new URLSearchParams({token}).toString()}`
  const others: readonly (readonly [string, Sent])[] = [
    ['A token in the query', {query, body: ''}],
    ['A GET', {method: 'GET', query, body: ''}],
    ['JSON', {body: JSON.stringify({token}), more: {'content-type': 'application/json'}}],
  ]
  const failures: string[] = []
  for (const [what, sent] of others) {
    if (objectIn(await post(on, sent))?.['active'] === true) failures.push(`${what} is answered like a form.`)
  }
  return {failures}
}

async function correlation(on: IntrospectionEndpoint): Promise<StepOutcome> {
  const id = 'frontdesk-check/1'
  const [plain, traced] = [await post(on, {}), await post(on, {more: {'x-correlation-id': id}})]
  const same = plain.status === traced.status && plain.body === traced.body
  const echoed = traced.headers['x-correlation-id'] === id
  return {
    failures: same ? [] : ['A request with X-Correlation-ID is answered differently.'],
    detail: echoed ? 'repeated in the answer' : 'not repeated in the answer',
  }
}

async function activeToken(on: IntrospectionEndpoint): Promise<StepOutcome> {
  if (on.token === undefined) return notAsked('--token-file')
  const answer = await post(on, {token: on.token})
  const wrong = unusable('The token', answer)
  if (wrong.length > 0) return {failures: wrong}
  const {active, scope} = objectIn(answer) ?? {}
  return {
    failures: [
      ...(active === true
        ? []
        : [`"active" is ${active === undefined ? 'missing' : JSON.stringify(active)}, not true.`]),
      ...(typeof scope === 'string' ? [] : ['"scope" is no string: the token opens nothing.']),
    ],
  }
}

/** Larger values are milliseconds. */
const maxSeconds = 1e11

async function times(on: IntrospectionEndpoint): Promise<StepOutcome> {
  if (on.token === undefined) return notAsked('--token-file')
  const answer = await post(on, {token: on.token})
  const {exp, nbf, iat} = objectIn(answer) ?? {}
  const failures: string[] = []
  for (const [name, value] of Object.entries({exp, nbf, iat})) {
    if (value !== undefined && typeof value !== 'number')
      failures.push(`"${name}" is no number: the token counts as inactive.`)
  }
  const milliseconds = typeof exp === 'number' ? (exp > maxSeconds ? exp : exp * 1000) : undefined
  if (milliseconds !== undefined && milliseconds <= Date.now())
    failures.push('"exp" is over: the token counts as inactive.')
  if (!/\bjson\b/i.test(String(answer.headers['content-type'] ?? ''))) failures.push('The content type is not JSON.')
  const detail = exp === undefined ? 'no exp: answers are kept for up to 30 minutes' : undefined
  return {failures, ...defined({detail})}
}

/** Scopes of the project, and the customer or visitor that a token is bound to; the API ignores all others. */
async function scopes(on: IntrospectionEndpoint): Promise<StepOutcome> {
  if (on.token === undefined) return notAsked('--token-file')
  const {scope} = objectIn(await post(on, {token: on.token})) ?? {}
  const all = typeof scope === 'string' ? scope.split(' ').filter((part) => part !== '') : []
  const counts = (part: string): boolean => {
    const [name = '', project] = part.split(':')
    return name === 'customer_id' || name === 'anonymous_id' || project === on.projectKey
  }
  const ignored = all.filter((part) => !counts(part))
  const own = all.length - ignored.length
  const detail = `${own} of ${all.length} count${ignored.length === 0 ? '' : `; ignored: ${ignored.join(' ')}`}`
  const none = `No scope is of the project ${on.projectKey}: every call would be refused.`
  return {failures: own === 0 ? [none] : [], detail}
}

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

async function hostile(on: IntrospectionEndpoint): Promise<StepOutcome> {
  const failures: string[] = []
  for (const token of hostileTokens) {
    failures.push(...inactive(`The token ${JSON.stringify(token.slice(0, 24))}`, await post(on, {token})))
  }
  return {failures}
}

const steps: readonly CheckStep<IntrospectionEndpoint>[] = [
  ['an unknown token is inactive', unknownToken],
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
    (on) =>
      inTime({requests: on.requests, share: 0.99, limitMs: on.budgetMs}, () => post(on, defined({token: on.token}))),
  ],
]

/** Sends an introspection endpoint the requests of the API, right and wrong ones. */
export const checkIntrospection = (on: IntrospectionEndpoint): Promise<Run> => checkEndpoint(steps, on)
