import {percentiles} from '../check/percentiles.js'
import {objectIn, type Probed, type ProbeOptions, probe} from '../check/probe.js'
import type {Step, StepResult} from '../check/run-steps.js'

/** What the API relies on when it asks about a token (RFC 7662); a sentence for everything that is not as it should be. */

export interface Asked {
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
function post(asked: Asked, sent: Sent): Promise<Probed> {
  const {token = unknown, authorization = asked.header, more = {}, query = '', ...options} = sent
  const headers = {
    'content-type': formType,
    ...(authorization === undefined || authorization === '' ? {} : {authorization}),
    ...more,
  }
  return probe(asked.url + query, {
    method: 'POST',
    headers,
    body: new URLSearchParams({token}).toString(),
    ...options,
    ...(asked.timeoutMs === undefined ? {} : {timeoutMs: asked.timeoutMs}),
  })
}

/** Why the API could not use an answer at all: its call would end with ExternalOAuthFailed. */
function unusable(what: string, answer: Probed): string[] {
  const {status, headers} = answer
  const redirect = status >= 300 && status < 400 && headers.location !== undefined ? ', a redirect,' : ''
  if (status !== 200) return [`${what} is answered with ${status}${redirect}: calls of the API would fail.`]
  return objectIn(answer) ? [] : [`${what} is not answered with a JSON object: calls of the API would fail.`]
}

const inactive = (what: string, answer: Probed): string[] => {
  const wrong = unusable(what, answer)
  if (wrong.length > 0) return wrong
  return objectIn(answer)?.['active'] === false ? [] : [`${what} is not answered with "active": false.`]
}

async function unknownToken(asked: Asked): Promise<StepResult> {
  return {failures: inactive('An unknown token', await post(asked, {}))}
}

async function tellsNothing(asked: Asked): Promise<StepResult> {
  const members = Object.keys(objectIn(await post(asked, {})) ?? {}).filter((name) => name !== 'active')
  return {failures: members.length === 0 ? [] : [`An inactive token is answered with ${members.join(', ')} as well.`]}
}

const skipped = (flag: string): StepResult => ({failures: [], detail: `not asked: no ${flag}`})

async function headerCounts(asked: Asked): Promise<StepResult> {
  if (asked.header === undefined) return skipped('--authorization-file')
  const refused = (what: string, {status}: Probed): string[] =>
    status === 401 || status === 403 ? [] : [`${what} is answered with ${status}, not 401 or 403.`]
  const [missing, wrong] = [await post(asked, {authorization: ''}), await post(asked, {authorization: wrongHeader})]
  return {failures: [...refused('A request without the header', missing), ...refused('A wrong header', wrong)]}
}

async function onlyForms(asked: Asked): Promise<StepResult> {
  if (asked.token === undefined) return skipped('--token-file')
  const {token} = asked
  const query = `?${new URLSearchParams({token}).toString()}`
  const others: readonly (readonly [string, Sent])[] = [
    ['A token in the query', {query, body: ''}],
    ['A GET', {method: 'GET', query, body: ''}],
    ['JSON', {body: JSON.stringify({token}), more: {'content-type': 'application/json'}}],
  ]
  const failures: string[] = []
  for (const [what, sent] of others) {
    if (objectIn(await post(asked, sent))?.['active'] === true) failures.push(`${what} is answered like a form.`)
  }
  return {failures}
}

async function correlation(asked: Asked): Promise<StepResult> {
  const id = 'frontdesk-check/1'
  const [plain, traced] = [await post(asked, {}), await post(asked, {more: {'x-correlation-id': id}})]
  const same = plain.status === traced.status && plain.body === traced.body
  const echoed = traced.headers['x-correlation-id'] === id
  return {
    failures: same ? [] : ['A request with X-Correlation-ID is answered differently.'],
    detail: echoed ? 'repeated in the answer' : 'not repeated in the answer',
  }
}

async function activeToken(asked: Asked): Promise<StepResult> {
  if (asked.token === undefined) return skipped('--token-file')
  const answer = await post(asked, {token: asked.token})
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

async function times(asked: Asked): Promise<StepResult> {
  if (asked.token === undefined) return skipped('--token-file')
  const answer = await post(asked, {token: asked.token})
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
  return {failures, ...(detail === undefined ? {} : {detail})}
}

/** Scopes of the project, and the customer or visitor that a token is bound to; the API ignores all others. */
async function scopes(asked: Asked): Promise<StepResult> {
  if (asked.token === undefined) return skipped('--token-file')
  const {scope} = objectIn(await post(asked, {token: asked.token})) ?? {}
  const all = typeof scope === 'string' ? scope.split(' ').filter((part) => part !== '') : []
  const counts = (part: string): boolean => {
    const [name = '', project] = part.split(':')
    return name === 'customer_id' || name === 'anonymous_id' || project === asked.projectKey
  }
  const ignored = all.filter((part) => !counts(part))
  const own = all.length - ignored.length
  const detail = `${own} of ${all.length} count${ignored.length === 0 ? '' : `; ignored: ${ignored.join(' ')}`}`
  const none = `No scope is of the project ${asked.projectKey}: every call would be refused.`
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

async function hostile(asked: Asked): Promise<StepResult> {
  const failures: string[] = []
  for (const token of hostileTokens) {
    failures.push(...inactive(`The token ${JSON.stringify(token.slice(0, 24))}`, await post(asked, {token})))
  }
  return {failures}
}

async function inTime(asked: Asked): Promise<StepResult> {
  const durations: number[] = []
  for (let at = 0; at < asked.requests; at += 1) {
    const {durationMs} = await post(asked, {token: asked.token ?? unknown})
    durations.push(durationMs)
  }
  const {p99, detail} = percentiles(durations)
  const failures = p99 > asked.budgetMs ? [`Too slow for ${asked.budgetMs} ms: ${detail}.`] : []
  return {failures, detail}
}

export const steps: readonly Step<Asked>[] = [
  ['an unknown token is inactive', unknownToken],
  ['an inactive answer tells nothing else', tellsNothing],
  ['the Authorization header counts', headerCounts],
  ['a correlation id changes nothing', correlation],
  ['a token is active, with a scope', activeToken],
  ['the other members have their form', times],
  ['scopes of the project are among them', scopes],
  ['only a form in the body counts', onlyForms],
  ['a hostile token is inactive, not an error', hostile],
  ['answers come in time', inTime],
]
