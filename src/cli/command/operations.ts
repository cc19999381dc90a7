import type * as declared from '../../api/declarations.js'
import type {AnyOperation} from '../../api/operation/operation.js'

/**
 * Which operations a command calls. Names only, checked by the types, so that a command loads no declaration before it
 * calls it; oclif keeps them in its manifest, where `check scopes`, `token scopes`, help and docs read them.
 */

type Declared = typeof declared

/** The name of an operation that a command may call: `getCustomerById`. */
export type OperationName = {
  [Name in keyof Declared]: Declared[Name] extends AnyOperation ? Name : never
}[keyof Declared]

/** Operations that a command calls for some flags only, or whose scope is optional. */
export interface Sometimes {
  readonly operations: readonly OperationName[]
  /** Scopes of paths that the local server does not have, or that are called by their path. */
  readonly scopes?: readonly string[]
  /** The flags that cause the call, as in `--flow anonymous`. Absent: the command works without the scope. */
  readonly when?: string
}

/** The operations of a command; one that also exists in stores stands for both paths. */
export type Calls = readonly (OperationName | Sometimes)[]

/** Every operation that a command may call, whatever its flags. */
export const namesOf = (calls: Calls): readonly OperationName[] =>
  calls.flatMap((call) => (typeof call === 'string' ? [call] : call.operations))

/** Reads one customer by a REF. */
export const customerReads: Calls = [
  'getCustomerById',
  'getCustomerByKey',
  'queryCustomers',
  {operations: ['searchCustomers']},
]
/** The types of custom fields that an assertion compares. */
export const assertedTypes: Sometimes = {operations: ['queryTypes'], when: '--assert of custom fields'}
/** What rows refer to. */
export const rowLookUps: Calls = [{operations: ['queryCustomerGroups', 'queryStores', 'queryTypes', 'getProject']}]
/** Rows of a file or of another project, compared with customers and brought to them. */
export const customerRows: Calls = [
  'queryCustomers',
  'createCustomer',
  'updateCustomerById',
  // What rows refer to is looked up before the first write, where the scopes allow it.
  ...rowLookUps,
]
/** What customers of another project refer to, created where it is missing. */
export const referenceCalls: Calls = [
  {
    operations: [
      'queryTypes',
      'createType',
      'queryCustomerGroups',
      'createCustomerGroup',
      'queryStores',
      'createStore',
    ],
    when: '--with-references',
  },
]
/** How far runs came, which the target keeps. */
const marksAt = (when: string): Calls => [{operations: [], scopes: ['manage_key_value_documents'], when}]
export const markCalls = marksAt('--since last')
export const takenMarkCalls = marksAt('a run of --since last')
/** Tokens for customers whose password nobody keeps. */
export const resetLinkCalls: Calls = [{operations: ['createPasswordToken'], when: '--password-mode reset-links'}]
export const messageReads: Calls = [
  'queryMessages',
  {operations: [...namesOf(customerReads), 'customerExistsById'], when: '--resource of a customer'},
]
/** Quotes of a customer that an API client speaks for. */
const onBehalf = (...scopes: readonly string[]): Sometimes => ({
  operations: namesOf(customerReads),
  scopes,
  when: '--as elsewhere than on the local target',
})
export const onBehalfCalls: Calls = [onBehalf('view_quotes')]
export const quoteWrites: Calls = [
  'getMyQuoteById',
  'getMyQuoteByKey',
  'updateMyQuoteById',
  onBehalf('view_quotes', 'manage_quotes'),
]
/** Requests a token of the API client, and introspects it where the service can. */
export const ownToken: Calls = ['requestToken', {operations: ['introspectToken']}]
/** The life of a throw-away customer, and the reads of `--read-only`. */
export const smokeCalls: Calls = [
  'createCustomer',
  'getCustomerById',
  'getCustomerByKey',
  'updateCustomerById',
  'createPasswordToken',
  'resetCustomerPassword',
  'signInCustomer',
  'deleteCustomerById',
  {operations: ['queryCustomers', 'queryMessages'], when: '--read-only'},
]
