import {hasStatus, inTime, notAsked, objectIn, type Probed, type ProbeOptions, probe} from './endpoint.js'
import {CheckFailed, type CheckStep, type Fail} from './runner.js'

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

async function userToken(on: CallbackEndpoint, fail: Fail): Promise<void> {
  const answer = await get(on)
  if (!hasStatus(fail, 'A known user', answer, 200)) return
  const body = objectIn(answer)
  if (!body) throw new CheckFailed('The answer is no JSON object.')
  const token = body['access_token'] ?? body['accessToken'] ?? body['token']
  const type = body['token_type']
  if (typeof token !== 'string' || token === '') fail('There is no access_token in the answer.')
  if (type !== undefined && String(type).toLowerCase() !== 'bearer') fail('The token_type is not Bearer.')
}

async function notKept(on: CallbackEndpoint, fail: Fail): Promise<void> {
  const {headers} = await get(on)
  if (!/\bno-store\b/i.test(String(headers['cache-control'] ?? '')))
    fail('The answer may be cached: Cache-Control lacks no-store.')
}

async function theCart(on: CallbackEndpoint, fail: Fail): Promise<string | undefined> {
  if (on.cart === undefined) return notAsked('--cart')
  const answer = await get(on, {id: encodeURIComponent(on.cart)})
  if (hasStatus(fail, 'A known cart', answer, 200) && objectIn(answer)?.['id'] !== on.cart)
    fail('The answer is not the cart with that id.')
  return undefined
}

const refuses =
  (what: string, sentOf: (on: CallbackEndpoint) => Sent, expected: readonly number[] = [401, 403]) =>
  async (on: CallbackEndpoint, fail: Fail): Promise<void> =>
    void hasStatus(fail, what, await get(on, sentOf(on)), ...expected)

async function tellsNothing(on: CallbackEndpoint, fail: Fail): Promise<void> {
  const known = await get(on, {keys: [wrongKey]})
  const differs = ({status, body}: Probed): boolean => status !== known.status || body !== known.body
  if (differs(await get(on, {id: nobody, keys: [wrongKey]})))
    fail('With a wrong key, a known user is answered differently from an unknown one.')
  if (differs(await get(on, {keys: []}))) fail('A wrong key is answered differently from a missing one.')
}

async function unknownId(on: CallbackEndpoint, fail: Fail): Promise<void> {
  hasStatus(fail, 'An unknown user', await get(on, {id: nobody}), 404)
  hasStatus(fail, 'An unknown cart', await get(on, {id: noCart}), 404)
}

const hostileIds = ['..%2f..%2fetc%2fpasswd', '%2e%2e', 'a%00b', 'x'.repeat(300), '__proto__', '%ff']

async function hostile(on: CallbackEndpoint, fail: Fail): Promise<void> {
  for (const id of hostileIds) {
    const {status} = await get(on, {id})
    if (status < 400 || status >= 500) fail(`The id ${id.slice(0, 30)} is answered with ${status}.`)
  }
}

/** The requests of an in-store application, right and wrong ones. */
export const callbackSteps: readonly CheckStep<CallbackEndpoint>[] = [
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
  ['another method is not allowed', refuses('A POST', () => ({method: 'POST'}), [405])],
  [
    'answers come in time',
    (on, fail) => inTime({requests: on.requests, share: 0.95, limitMs: on.maxP95Ms}, () => get(on), fail),
  ],
]
