import type {Client} from '../../client/client.js'
import {deleteCustomerById, updateCustomerById} from '../../client/operations/customer-updates.js'
import {getCustomerById, queryCustomers} from '../../client/operations/customers.js'
import {queryMessages} from '../../client/operations/messages.js'
import {createPasswordToken, resetCustomerPassword} from '../../client/operations/passwords.js'
import {signInCustomer} from '../../client/operations/sign-in.js'
import {createCustomer} from '../../client/operations/sign-up.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {generatedPassword} from '../customers/create.js'
import {reportOf} from '../error-report.js'
import type {Run} from './check-command.js'
import {False, inOrder, type Judgement, type Trial} from './in-order.js'

/** The life of a throw-away customer, or a few reads: whether a project works at all. */

function holds(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new False(otherwise)
}

interface Life {
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

const signIn = ({client, email, password}: Life) => client.call(signInCustomer, {}, {body: {email, password}})

const life: readonly Trial<Life>[] = [
  [
    'signs up',
    async (on) => {
      const {client, email, key, password} = on
      const body = {email, key, password, firstName: 'Smoke', lastName: 'Test'}
      on.customer = (await client.call(createCustomer, {}, {body})).customer
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
      const body = {version, actions: [{action: 'setFirstName', firstName: 'Renamed'}]}
      on.customer = await on.client.call(updateCustomerById, {id}, {body})
      holds(on.customer.firstName === 'Renamed', 'The new name did not stay.')
      holds(on.customer.version > version, 'The version did not grow.')
    },
  ],
  [
    'resets its password by a token',
    async (on) => {
      const {value} = await on.client.call(createPasswordToken, {}, {body: {email: on.email, ttlMinutes: 5}})
      const newPassword = generatedPassword()
      on.customer = await on.client.call(resetCustomerPassword, {}, {body: {tokenValue: value, newPassword}})
      on.password = newPassword
    },
  ],
  [
    'signs in with the new password',
    async (on) => {
      const {customer} = await signIn(on)
      holds(customer.id === customerOf(on).id, 'Another customer was signed in.')
    },
  ],
  ['is deleted', remove],
  [
    'is gone',
    async (on) => {
      const isGone = await on.client.call(getCustomerById, {id: customerOf(on).id}).then(() => false, isNotFound)
      holds(isGone, 'The customer can still be read.')
    },
  ],
]

function isNotFound(error: unknown): boolean {
  if (error instanceof ApiError && error.statusCode === 404) return true
  throw error
}

async function remove(on: Life): Promise<void> {
  const {id, version} = await on.client.call(getCustomerById, {id: customerOf(on).id})
  await on.client.call(deleteCustomerById, {id}, {query: {version}})
}

const reads: readonly Trial<Client>[] = [
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

/** Reads only. */
export const smokeReads = (client: Client): Promise<Run> => inOrder(reads, client, judged)

/** The whole life of a customer with this key; what is left of one whose life broke off is taken away. */
export async function smokeLife(client: Client, key: string): Promise<Run> {
  const on: Life = {client, key, email: `${key}@example.com`, password: generatedPassword()}
  const run = await inOrder(life, on, judged)
  const isLeft = on.customer !== undefined && run.checks.some(({result}) => result !== 'passed')
  if (isLeft) await remove(on).catch(() => undefined)
  return run
}

function judged(thrown: unknown): Judgement {
  if (thrown instanceof False) return {failures: [thrown.message], isError: false}
  const isAnswer = thrown instanceof ApiError && thrown.statusCode < 500
  return {failures: [reportOf(thrown).message], isError: !isAnswer}
}
