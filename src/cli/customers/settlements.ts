import {signInCustomer} from '../../api/accounts/sign-in.js'
import type {SignInResult} from '../../api/accounts/sign-up.js'
import {queryCustomers} from '../../api/customers/operations.js'
import type {Client} from '../../client/client.js'
import {creatorOf, isMadeOf, type SendTime, sendTimeOf} from '../../client/creation.js'
import type {Reading, Settlement} from '../../client/settle.js'
import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {ApiError} from '../../domain/errors.js'
import {isGone} from '../input/is-found.js'
import {byVersion} from '../safety/settlements.js'
import {customerOf, inStoreOf} from './calls.js'
import {differences, preview} from './preview.js'

/** Settlements of writes about customers: reads that decide whether a write whose answer was lost took effect. */

interface Base {
  readonly client: Client
  readonly look: string
}

/** What drafts refer to, so that a key in one can be compared. */
const expand = ['customerGroup', 'customerGroupAssignments[*].customerGroup', 'custom.type', 'addresses[*].custom.type']

interface Creation extends Base {
  readonly draft: Readonly<Record<string, unknown>>
  readonly clock: () => number
}

/**
 * Settles a sign-up: a customer is ours only if it bears our marks (API client, time, first version, every member of the
 * draft) and signs in with the password of the draft. Emails and keys are unique, so that a repeat is safe.
 */
export const creation = (made: Creation): Settlement<SignInResult> => {
  const sending = sendTimeOf(made.client, made.clock)
  return {fenced: true, look: made.look, read: () => creationRead(made, sending)}
}

async function creationRead({client, draft, clock}: Creation, sending: SendTime): Promise<Reading<SignInResult>> {
  const found = await candidates(client, draft)
  const skewMs = client.serverTime() - clock()
  for (const customer of found) {
    const isSame = isMadeOf(customer, draft, client.storeKey)
    const creator = creatorOf(customer, sending, {skewMs, isSame})
    if (creator === 'open') {
      return {open: `Customer ${customer.id} was created meanwhile, and has changed since: nobody can tell by whom.`}
    }
    const signedIn = creator === 'ours' ? await provenBy(client, customer, draft) : undefined
    if (signedIn) return {happened: signedIn}
  }
  return {unchanged: 'No customer was created by this request.'}
}

async function candidates(client: Client, {email, key}: Creation['draft']): Promise<readonly Customer[]> {
  const byKey = typeof key === 'string' ? {'var.key': key} : undefined
  const where = `lowercaseEmail = :email${byKey ? ' or key = :key' : ''}`
  const query = {where, 'var.email': canonicalEmail(String(email)), ...byKey, expand, limit: 20, withTotal: false}
  return (await client.call(queryCustomers, {}, {query})).results
}

/** The customer, if its password is the one of the draft; a draft without one proves nothing and is believed. */
async function provenBy(
  client: Client,
  customer: Customer,
  {email, password}: Creation['draft'],
): Promise<SignInResult | undefined> {
  if (typeof password !== 'string') return {customer}
  try {
    const signedIn = await inStoreOf(client, customer).call(signInCustomer, {}, {body: {email, password}})
    return signedIn.customer.id === customer.id ? signedIn : undefined
  } catch (error) {
    if (error instanceof ApiError && error.is('InvalidCredentials')) return undefined
    throw error
  }
}

export interface CustomerChange extends Base {
  readonly before: Customer
}

export const named = 'The customer'

/** New addresses get their ids from the server; those of the preview stand for them. */
export function withIdsOf(expected: Customer, {addresses}: Customer): unknown {
  const ids = new Map(
    expected.addresses.flatMap(({id}, at) => (id.startsWith('(new ') ? [[id, addresses[at]?.id ?? id] as const] : [])),
  )
  return JSON.parse(JSON.stringify(expected), (_, value: unknown) =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value,
  ) as unknown
}

const changed = (
  {client, before, look}: CustomerChange,
  holds: (now: Customer) => boolean | Promise<boolean>,
  asked?: readonly string[],
): Settlement<Customer> =>
  byVersion({
    what: named,
    client,
    look,
    version: before.version,
    read: () => customerOf(client, {by: 'id', value: before.id}, {expand: asked}),
    holds,
  })

/** Settles a new password, which makes the next version: its mask has changed. */
export const newPassword = (change: CustomerChange): Settlement<Customer> =>
  changed(change, (now) => isNext(now, change) && now.password !== change.before.password)

export const verifiedEmail = (change: CustomerChange): Settlement<Customer> =>
  changed(change, (now) => isNext(now, change) && now.isEmailVerified)

const isNext = ({version}: Customer, {before}: CustomerChange): boolean => version === before.version + 1

/** Settles a deletion: what was there at its version is gone. */
export const deletion = ({client, before, look}: CustomerChange): Settlement<Customer> => ({
  fenced: true,
  look,
  read: async (): Promise<Reading<Customer>> => {
    try {
      const {version} = await customerOf(client, {by: 'id', value: before.id})
      if (version === before.version) return {unchanged: `${named} is still there, at version ${version}.`}
      return {unchanged: `${named} is still there, at version ${version} now; somebody else has changed it.`}
    } catch (error) {
      if (isGone(error)) return {happened: before}
      throw error
    }
  },
})

/** Settles the making of a one-time token: nobody has the value of one whose answer was lost, so that another may follow. */
export const oneTimeToken = <T>(look: string): Settlement<T> => ({
  fenced: false,
  look,
  read: async () => ({
    open: 'A token may have been created, and older ones ended if that was asked for; nobody has its value.',
    harmless: true,
  }),
})

/** Settles update actions: by the version, the author, and all members that the same fold gives here. */
export const update = (
  change: CustomerChange,
  actions: readonly UpdateAction[],
  {expand: asked, clock}: {readonly expand?: readonly string[] | undefined; readonly clock: () => number},
): Settlement<Customer> => {
  const holds = async (now: Customer): Promise<boolean> => {
    const {next} = await preview(change.client, change.before, actions, clock())
    return differences(withIdsOf(next, now), now).every(({path}) => path === 'password')
  }
  return changed(change, holds, asked)
}
