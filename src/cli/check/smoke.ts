import {createCustomer} from '../../api/accounts/sign-up.js'
import {getCustomerById, getCustomerByKey, queryCustomers} from '../../api/customers/operations.js'
import {updateCustomerById} from '../../api/customers/updates.js'
import {queryMessages} from '../../api/project/messages.js'
import type {Client} from '../../client/client.js'
import {OutcomeUnknown, type Repeats, type Settlement, settled} from '../../client/settle.js'
import type {Customer} from '../../domain/customers/customer.js'
import {deleteCustomer} from '../customers/deletion.js'
import {generatedPassword} from '../customers/generated-password.js'
import {type OneTimeToken, passwordTokenFor, resetPassword, signIn} from '../customers/passwords.js'
import {creation, deletion, newPassword, oneTimeToken, update} from '../customers/settlements.js'
import {signInOf} from '../customers/sign-in.js'
import {isGone, unlessGone} from '../input/is-found.js'
import {reportOf} from '../output/error-report.js'
import {CheckFailed, type CheckStep, isAnswered, type Run, runSteps, type Verdict} from './runner.js'

/** The life of a throw-away customer, or a few reads: whether a project works at all. */

function holds(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new CheckFailed(otherwise)
}

/** What a life needs beside the client: the clock, and how requests without an answer are repeated. */
export interface Living {
  readonly clock: () => number
  readonly repeats: Repeats
  readonly look: string
}

interface Life extends Living {
  readonly client: Client
  readonly email: string
  readonly key: string
  password: string
  customer?: Customer
}

const customerOf = ({customer}: Life): Customer => {
  holds(customer !== undefined, 'There is no customer to go on with.')
  return customer
}

/** Does a write; one whose answer is lost is settled. */
const written = async <T>({repeats}: Life, settlement: Settlement<T>, request: () => Promise<T>): Promise<T> =>
  (await settled(request, settlement, repeats)).result

const changing = (on: Life) => ({client: on.client, before: customerOf(on), look: on.look})

const life: readonly CheckStep<Life>[] = [
  [
    'signs up',
    async (on) => {
      const {client, email, key, password, clock, look} = on
      const draft = {email, key, password, firstName: 'Smoke', lastName: 'Test'}
      const settlement = creation({client, draft, clock, look})
      on.customer = (await written(on, settlement, () => client.call(createCustomer, {}, {body: draft}))).customer
    },
  ],
  [
    'is read as it signed up',
    async (on) => {
      const found = await on.client.call(getCustomerById, {id: customerOf(on).id})
      holds(found.email === on.email && found.key === on.key, 'The customer differs from its draft.')
    },
  ],
  [
    'changes its name',
    async (on) => {
      const {id, version} = customerOf(on)
      const actions = [{action: 'setFirstName', firstName: 'Renamed'}]
      on.customer = await written(on, update(changing(on), actions, on), () =>
        on.client.call(updateCustomerById, {id}, {body: {version, actions}}),
      )
      holds(on.customer.firstName === 'Renamed', 'The new name did not stay.')
      holds(on.customer.version > version, 'The version did not grow.')
    },
  ],
  [
    'resets its password by a token',
    async (on) => {
      const {value} = await written(on, oneTimeToken<OneTimeToken>(on.look), () =>
        passwordTokenFor(on.client, on, {ttlMinutes: 5}),
      )
      const chosen = generatedPassword()
      on.customer = await written(on, newPassword(changing(on)), () =>
        resetPassword(on.client, {tokenValue: value, newPassword: chosen}),
      )
      on.password = chosen
    },
  ],
  [
    'signs in with the new password',
    async (on) => {
      const {client, email, password, look} = on
      const body = {email, password}
      const {customer} = await written(on, signInOf({client, body, look}), () => signIn(client, body))
      holds(customer.id === customerOf(on).id, 'Another customer was signed in.')
    },
  ],
  ['is deleted', (on) => remove(on, customerOf(on).id)],
  [
    'is gone',
    async (on) => {
      const found = await unlessGone(on.client.call(getCustomerById, {id: customerOf(on).id}))
      holds(found === undefined, 'The customer can still be read.')
    },
  ],
]

async function remove(on: Life, id: string): Promise<void> {
  const before = await on.client.call(getCustomerById, {id})
  await written(on, deletion({client: on.client, before, look: on.look}), () =>
    deleteCustomer(on.client, before, false),
  )
}

/** Takes away what is left of a life that broke off. True if nothing is. */
async function takenAway(on: Life): Promise<boolean> {
  try {
    const {id} = await on.client.call(getCustomerByKey, {key: on.key})
    await remove(on, id)
    return true
  } catch (error) {
    return isGone(error)
  }
}

const reads: readonly CheckStep<Client>[] = [
  [
    'customers can be searched',
    async (client) => {
      const {results, count} = await client.call(queryCustomers, {}, {query: {limit: 5}})
      holds(results.length === count && count <= 5, 'The page does not hold what it counts.')
    },
  ],
  [
    'a customer is read as it was found',
    async (client) => {
      const {results} = await client.call(queryCustomers, {}, {query: {limit: 1, withTotal: false}})
      const [first] = results
      if (!first) return
      const found = await client.call(getCustomerById, {id: first.id})
      holds(found.id === first.id, 'Another customer was read.')
    },
  ],
  [
    'messages can be read',
    async (client) => {
      const {results} = await client.call(queryMessages, {}, {query: {limit: 1}})
      holds(Array.isArray(results), 'The answer is no page of results.')
    },
  ],
]

export const smokeReads = (client: Client): Promise<Run> => runSteps(reads, client, {judge, stopsAtFailure: true})

export interface SmokeRun extends Run {
  /** Nobody can tell what became of a request, or whether the customer is gone. */
  readonly isOpen: boolean
}

/**
 * The steps of a customer with this key, from sign-up to deletion. If a step fails, the customer is deleted all the
 * same.
 */
export async function smokeLife(client: Client, key: string, living: Living): Promise<SmokeRun> {
  const on: Life = {...living, client, key, email: `${key}@example.com`, password: generatedPassword()}
  const run = await runSteps(life, on, {judge, stopsAtFailure: true})
  if (run.checks.every(({result}) => result === 'passed')) return {...run, isOpen: false}
  const isOutcomeUnknown = run.error instanceof OutcomeUnknown
  const isAway = (on.customer === undefined && !isOutcomeUnknown) || (await takenAway(on))
  return {...run, isOpen: isOutcomeUnknown || !isAway}
}

function judge(thrown: unknown): Verdict {
  return {failures: [reportOf(thrown).message], ...(isAnswered(thrown) ? {} : {error: thrown})}
}
