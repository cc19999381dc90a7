import * as v from 'valibot'
import {type Credential, newCredential, withHash} from '../../domain/credentials/credential.js'
import {costOf, hashProblem} from '../../domain/credentials/password-hash.js'
import type {Customer} from '../../domain/customers/customer.js'
import {CustomerDraft, customerOf, referencesOf} from '../../domain/customers/draft.js'
import {ApiError, invalidOperation} from '../../domain/errors.js'
import type {Put} from '../../store/store.js'
import {type CartOptions, signInCarts} from '../carts/operations.js'
import {CustomerReply} from '../customers/operations.js'
import {commit, created, putOf} from '../operation/commit.js'
import type {Context, Runtime} from '../operation/context.js'
import {deprecatedDraftUses} from '../operation/deprecated-uses.js'
import {factsFor} from '../operation/facts.js'
import {operation} from '../operation/operation.js'
import {holdsProjectWide} from '../operation/permit.js'
import {retrying} from '../operation/retrying.js'
import {cartReads} from '../operation/unexpected.js'
import {notePasswordWork} from './password-work.js'

export interface SignInResult {
  readonly customer: Customer
  readonly cart?: object
}

export const SignInReply = v.object({
  customer: CustomerReply,
  cart: v.exactOptional(v.record(v.string(), v.unknown())),
}) as unknown as v.GenericSchema<SignInResult>

export const signUpReads = {...cartReads, customer: 'their number is counted anew only near the limit'}

/** Adds the path's store to a draft. Further stores require a scope of the whole project (decision 27). */
function withStore(context: Context, draft: CustomerDraft, storeKeys: readonly string[]): CustomerDraft {
  const {storeKey} = context
  if (storeKey === undefined) return draft
  if (draft.stores === undefined) return {...draft, stores: [{typeId: 'store', key: storeKey}]}
  if (!storeKeys.includes(storeKey)) {
    throw invalidOperation(`The stores of the customer lack the store '${storeKey}' of the path.`)
  }
  if (storeKeys.length > 1 && !holdsProjectWide(context, 'manage_customers')) {
    throw ApiError.of('insufficient_scope', {missing: ['manage_customers']})
  }
  return draft
}

function checkPassword(context: Context, draft: CustomerDraft): void {
  const mode = draft.authenticationMode ?? 'Password'
  if (draft.passwordHash !== undefined) {
    if (!holdsProjectWide(context, 'manage_project')) {
      const rule = 'Only tokens with manage_project may bring a hash.'
      throw ApiError.of('InvalidField', {field: 'passwordHash', rule})
    }
    const rule = hashProblem(draft.passwordHash)
    if (rule !== undefined) throw ApiError.of('InvalidField', {field: 'passwordHash', rule})
    return
  }
  if (mode === 'Password' && draft.password === undefined) {
    const detailedErrorMessage = "password: expected a string where 'authenticationMode' is 'Password', received none"
    throw ApiError.of('InvalidJsonInput', {detailedErrorMessage})
  }
  if (draft.password !== undefined) context.runtime.passwords.check(draft.password, 'password')
}

const asksForCarts = ({anonymousCart, anonymousCartId, anonymousId}: CartOptions): boolean =>
  [anonymousCart, anonymousCartId, anonymousId].some((member) => member !== undefined)

/** How many more customers each project takes, by a count at some time. */
const rooms = new WeakMap<Runtime, Map<string, {left: number; readonly at: number}>>()
const maxAgeMs = 10 * 60_000
/** With less than this fraction of the limit left, every creation counts anew. */
const near = 0.01

/** Throws MaxResourceLimitExceeded if the project is full. Counting is expensive: it is repeated when old, or near the limit. */
function checkCustomerCount({runtime, project, now}: Context): Promise<void> | undefined {
  const limit = runtime.settings.maxCustomers
  const known = rooms.get(runtime) ?? new Map<string, {left: number; readonly at: number}>()
  rooms.set(runtime, known)
  const room = known.get(project.key)
  if (room && now - room.at < maxAgeMs && room.left > limit * near) {
    room.left -= 1
    return undefined
  }
  const page = {limit: 0, offset: 0, count: {cap: limit}}
  return runtime.state.query(project.key, 'customer', page).then(({total = 0}) => {
    if (total >= limit) throw ApiError.of('MaxResourceLimitExceeded', {limit, exceededResource: 'customer'})
    known.set(project.key, {left: limit - total - 1, at: now})
  })
}

const birth = (doc: Credential): Put => ({kind: 'credential', expect: 0, doc})

/** The credential of a customer with a password: at once, or once that is hashed. Others get one with their first token. */
function birthOf({runtime, project}: Context, {id, authenticationMode}: Customer, draft: CustomerDraft) {
  const {password, passwordHash} = authenticationMode === 'Password' ? draft : {}
  const fresh = newCredential(id)
  if (passwordHash !== undefined)
    return {puts: [birth(withHash(fresh, passwordHash, true))], cost: costOf(passwordHash)}
  const cost = runtime.settings.passwordCost
  if (password === undefined) return {puts: [], cost}
  const hash = () => runtime.passwords.hash(project.key, password, 'password')
  return {puts: [], cost, hashing: async () => [birth(withHash(fresh, await hash()))]}
}

/** Creates a customer with the carts of its session, or neither. The email is held while the password is hashed. */
export function signUp(
  context: Context,
  given: CustomerDraft,
  cartOptions: CartOptions = given,
): Promise<SignInResult> {
  const {runtime} = context
  let isCounted = false
  return retrying(async () => {
    checkPassword(context, given)
    const asked = factsFor(context, referencesOf(given))
    const facts = asked instanceof Promise ? await asked : asked
    const storeKeys = (given.stores ?? []).map((store) => facts.resolve({...store, typeId: 'store'}).key ?? '')
    const draft = withStore(context, given, storeKeys)
    const complete = draft === given ? facts : await factsFor(context, referencesOf(draft))
    const id = runtime.secrets.uuid()
    const customer = customerOf(draft, {id, facts: complete, passwordMask: facts.newPasswordMask()})
    const counted = isCounted ? undefined : checkCustomerCount(context)
    isCounted = true
    if (counted) await counted
    const message = {type: 'CustomerCreated', member: 'customer'}
    const {resource, messages} = created(context, 'customer', customer, message)
    const {puts, cost, hashing} = birthOf(context, customer, draft)
    const noted = notePasswordWork(runtime, context.project.key, cost)
    if (noted) await noted
    const {cart, changes} = asksForCarts(cartOptions)
      ? await signInCarts(context, resource, cartOptions)
      : {changes: []}
    const put = putOf('customer', 0, resource)
    await commit(context, resource, [...complete.required, put, ...messages, ...changes, ...puts], hashing)
    return {customer: resource, ...(cart ? {cart} : {})}
  })
}

export const createCustomer = operation({
  id: 'createCustomer',
  method: 'POST',
  path: '/{projectKey}/customers',
  summary: 'sign up a customer',
  area: 'Customers',
  permission: {kind: 'bearer', anyOf: ['manage_customers']},
  query: ['expand'],
  body: CustomerDraft,
  success: 201,
  secrets: ['password', 'passwordHash'],
  messages: ['CustomerCreated'],
  unexpected: signUpReads,
  reply: SignInReply,
  inStore: true,
  deprecations: deprecatedDraftUses,
  handle: (context, {body}) => signUp(context, body),
})
