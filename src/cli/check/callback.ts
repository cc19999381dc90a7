import {
  checkEndpoint,
  inTime,
  notAsked,
  objectIn,
  type Probed,
  type ProbeOptions,
  probe,
  wrongStatus,
} from './endpoint.js'
import {CheckFailed, type CheckStep, type Run, type StepOutcome} from './runner.js'

/** What an in-store application relies on, one question each; a sentence for everything that is not as it should be. */

export interface CallbackEndpoint {
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
const noCart = '00000000-0000-4000-8000-000000000000'

interface Sent extends Pick<ProbeOptions, 'method'> {
  /** What stands behind the URL, as it is sent. */
  readonly id?: string
  /** Each becomes a header of its own. */
  readonly keys?: readonly string[]
}

/** A request as an application sends it, with the right key and for the known user, but for what `sent` says. */
function get({url, key, user, timeoutMs}: CallbackEndpoint, sent: Sent = {}): Promise<Probed> {
  const {id = encodeURIComponent(user), keys = [key], ...options} = sent
  return probe(`${url}/${id}`, {...options, headers: keys.length === 0 ? {} : {'X-Api-Key': keys}, timeoutMs})
}

async function userToken(on: CallbackEndpoint): Promise<StepOutcome> {
  const answer = await get(on)
  const wrong = wrongStatus('A known user', answer, 200)
  if (wrong.length > 0) return {failures: wrong}
  const body = objectIn(answer)
  if (!body) throw new CheckFailed('The answer is no JSON object.')
  const token = body['access_token'] ?? body['accessToken'] ?? body['token']
  const type = body['token_type']
  return {
    failures: [
      ...(typeof token === 'string' && token !== '' ? [] : ['There is no access_token in the answer.']),
      ...(type === undefined || String(type).toLowerCase() === 'bearer' ? [] : ['The token_type is not Bearer.']),
    ],
  }
}

async function notKept(on: CallbackEndpoint): Promise<StepOutcome> {
  const {headers} = await get(on)
  const isKept = !/\bno-store\b/i.test(String(headers['cache-control'] ?? ''))
  return {failures: isKept ? ['The answer may be cached: Cache-Control lacks no-store.'] : []}
}

async function theCart(on: CallbackEndpoint): Promise<StepOutcome> {
  if (on.cart === undefined) return notAsked('--cart')
  const answer = await get(on, {id: encodeURIComponent(on.cart)})
  const wrong = wrongStatus('A known cart', answer, 200)
  if (wrong.length > 0) return {failures: wrong}
  return {failures: objectIn(answer)?.['id'] === on.cart ? [] : ['The answer is not the cart with that id.']}
}

const refuses =
  (what: string, sentOf: (on: CallbackEndpoint) => Sent) =>
  async (on: CallbackEndpoint): Promise<StepOutcome> => ({
    failures: wrongStatus(what, await get(on, sentOf(on)), 401, 403),
  })

async function tellsNothing(on: CallbackEndpoint): Promise<StepOutcome> {
  const known = await get(on, {keys: [wrongKey]})
  const differs = ({status, body}: Probed): boolean => status !== known.status || body !== known.body
  const [other, missing] = [await get(on, {id: nobody, keys: [wrongKey]}), await get(on, {keys: []})]
  return {
    failures: [
      ...(differs(other) ? ['With a wrong key, a known user is answered differently from an unknown one.'] : []),
      ...(differs(missing) ? ['A wrong key is answered differently from a missing one.'] : []),
    ],
  }
}

async function unknownId(on: CallbackEndpoint): Promise<StepOutcome> {
  const [user, cart] = [await get(on, {id: nobody}), await get(on, {id: noCart})]
  return {failures: [...wrongStatus('An unknown user', user, 404), ...wrongStatus('An unknown cart', cart, 404)]}
}

const hostileIds = ['..%2f..%2fetc%2fpasswd', '%2e%2e', 'a%00b', 'x'.repeat(300), '__proto__', '%ff']

async function hostile(on: CallbackEndpoint): Promise<StepOutcome> {
  const failures: string[] = []
  for (const id of hostileIds) {
    const {status} = await get(on, {id})
    if (status < 400 || status >= 500) failures.push(`The id ${id.slice(0, 30)} is answered with ${status}.`)
  }
  return {failures}
}

const steps: readonly CheckStep<CallbackEndpoint>[] = [
  ['a right key and a known user: a token', userToken],
  ['a token is never cached', notKept],
  ['a right key and a known cart: the cart', theCart],
  ['a wrong key is refused', refuses('A wrong key', () => ({keys: [wrongKey]}))],
  ['a missing key is refused', refuses('A missing key', () => ({keys: []}))],
  ['two keys are refused', refuses('A request with two keys', ({key}) => ({keys: [key, wrongKey]}))],
  [
    'a key in the query is refused',
    refuses('A key in the query', ({key, user}) => ({
      id: `${encodeURIComponent(user)}?X-Api-Key=${encodeURIComponent(key)}`,
      keys: [],
    })),
  ],
  ['a refusal tells nothing about users', tellsNothing],
  ['an unknown id is not found', unknownId],
  ['a hostile id is not found', hostile],
  [
    'another method is not allowed',
    async (on) => ({failures: wrongStatus('A POST', await get(on, {method: 'POST'}), 405)}),
  ],
  ['answers come in time', (on) => inTime({requests: on.requests, share: 0.95, limitMs: on.maxP95Ms}, () => get(on))],
]

/** Sends a callback the requests of an in-store application, right and wrong ones. */
export const checkCallback = (on: CallbackEndpoint): Promise<Run> => checkEndpoint(steps, on)
