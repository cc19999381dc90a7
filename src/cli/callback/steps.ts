import {percentiles} from '../check/percentiles.js'
import {objectIn, type Probed, type ProbeOptions, probe} from '../check/probe.js'
import type {Step, StepResult} from '../check/run-steps.js'

/** What an in-store application relies on, one question each; a sentence for everything that is not as it should be. */

export interface Asked {
  /** Without a slash at its end. */
  readonly url: string
  readonly key: string
  readonly user: string
  readonly cart: string | undefined
  readonly requests: number
  readonly maxP95Ms: number
  readonly timeoutMs?: number
}

const wrongKey = 'frontdesk-check-a-wrong-key'
const nobody = 'frontdesk-check-nobody'

interface Sent extends ProbeOptions {
  /** Each becomes a header of its own. */
  readonly keys?: readonly string[]
}

const get = ({url, timeoutMs}: Asked, id: string, {keys = [], ...options}: Sent): Promise<Probed> =>
  probe(`${url}/${id}`, {
    ...options,
    ...(keys.length === 0 ? {} : {headers: {'X-Api-Key': [...keys]}}),
    ...(timeoutMs === undefined ? {} : {timeoutMs}),
  })

const statusIs = (what: string, {status, headers}: Probed, ...expected: number[]): string[] => {
  if (expected.includes(status)) return []
  const where = status >= 300 && status < 400 && headers.location !== undefined ? ', a redirect' : ''
  return [`${what} is answered with ${status}${where}, not ${expected.join(' or ')}.`]
}

const encoded = (id: string): string => encodeURIComponent(id)

async function userToken(asked: Asked): Promise<StepResult> {
  const answer = await get(asked, encoded(asked.user), {keys: [asked.key]})
  const wrong = statusIs('A known user', answer, 200)
  if (wrong.length > 0) return {failures: wrong}
  const body = objectIn(answer)
  if (!body) return {failures: ['The answer is no JSON object.']}
  const token = body['access_token'] ?? body['accessToken'] ?? body['token']
  const type = body['token_type']
  return {
    failures: [
      ...(typeof token === 'string' && token !== '' ? [] : ['There is no access_token in the answer.']),
      ...(type === undefined || String(type).toLowerCase() === 'bearer' ? [] : ['The token_type is not Bearer.']),
    ],
  }
}

async function notKept(asked: Asked): Promise<StepResult> {
  const {headers} = await get(asked, encoded(asked.user), {keys: [asked.key]})
  const control = String(headers['cache-control'] ?? '')
  return {failures: /\bno-store\b/i.test(control) ? [] : ['The answer may be cached: Cache-Control lacks no-store.']}
}

async function theCart(asked: Asked): Promise<StepResult> {
  if (asked.cart === undefined) return {failures: [], detail: 'not asked: no --cart'}
  const answer = await get(asked, encoded(asked.cart), {keys: [asked.key]})
  const wrong = statusIs('A known cart', answer, 200)
  if (wrong.length > 0) return {failures: wrong}
  return {failures: objectIn(answer)?.['id'] === asked.cart ? [] : ['The answer is not the cart with that id.']}
}

const refuses =
  (what: string, keys: (asked: Asked) => readonly string[], query = '') =>
  async (asked: Asked): Promise<StepResult> => {
    const answer = await get(asked, encoded(asked.user) + query.replace('KEY', encodeURIComponent(asked.key)), {
      keys: keys(asked),
    })
    return {failures: statusIs(what, answer, 401, 403)}
  }

async function tellsNothing(asked: Asked): Promise<StepResult> {
  const known = await get(asked, encoded(asked.user), {keys: [wrongKey]})
  const other = await get(asked, nobody, {keys: [wrongKey]})
  const missing = await get(asked, encoded(asked.user), {})
  return {
    failures: [
      ...(known.status === other.status && known.body === other.body
        ? []
        : ['With a wrong key, a known user is answered differently from an unknown one.']),
      ...(known.status === missing.status && known.body === missing.body
        ? []
        : ['A wrong key is answered differently from a missing one.']),
    ],
  }
}

async function unknownId(asked: Asked): Promise<StepResult> {
  const user = await get(asked, nobody, {keys: [asked.key]})
  const cart = await get(asked, '00000000-0000-4000-8000-000000000000', {keys: [asked.key]})
  return {failures: [...statusIs('An unknown user', user, 404), ...statusIs('An unknown cart', cart, 404)]}
}

const hostileIds = ['..%2f..%2fetc%2fpasswd', '%2e%2e', 'a%00b', 'x'.repeat(300), '__proto__', '%ff']

async function hostile(asked: Asked): Promise<StepResult> {
  const failures: string[] = []
  for (const id of hostileIds) {
    const {status} = await get(asked, id, {keys: [asked.key]})
    if (status < 400 || status >= 500) failures.push(`The id ${id.slice(0, 30)} is answered with ${status}.`)
  }
  return {failures}
}

async function wrongMethod(asked: Asked): Promise<StepResult> {
  const answer = await get(asked, encoded(asked.user), {method: 'POST', keys: [asked.key]})
  return {failures: statusIs('A POST', answer, 405)}
}

async function times(asked: Asked): Promise<StepResult> {
  const all: number[] = []
  for (let at = 0; at < asked.requests; at += 1) {
    const {durationMs} = await get(asked, encoded(asked.user), {keys: [asked.key]})
    all.push(durationMs)
  }
  const {p95, detail} = percentiles(all)
  return {failures: p95 > asked.maxP95Ms ? [`Too slow: ${detail}.`] : [], detail}
}

export const steps: readonly Step<Asked>[] = [
  ['a right key and a known user: a token', userToken],
  ['a token is never cached', notKept],
  ['a right key and a known cart: the cart', theCart],
  ['a wrong key is refused', refuses('A wrong key', () => [wrongKey])],
  ['a missing key is refused', refuses('A missing key', () => [])],
  ['two keys are refused', refuses('A request with two keys', ({key}) => [key, wrongKey])],
  ['a key in the query is refused', refuses('A key in the query', () => [], '?X-Api-Key=KEY')],
  ['a refusal tells nothing about users', tellsNothing],
  ['an unknown id is not found', unknownId],
  ['a hostile id is not found', hostile],
  ['another method is not allowed', wrongMethod],
  ['answers come in time', times],
]
