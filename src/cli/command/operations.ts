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

/** Operations that a command calls for some of its flags only, or whose scope it can do without. */
export interface Sometimes {
  readonly operations: readonly OperationName[]
  /** What leads to the call, as in `--flow anonymous`. Absent: the command goes on without the scope. */
  readonly when?: string
}

/** What a command calls; an operation with a twin in stores stands for both. */
export type Calls = readonly (OperationName | Sometimes)[]

/** Every operation that a command may call, whatever leads to it. */
export const namesOf = (calls: Calls): readonly string[] =>
  calls.flatMap((call) => (typeof call === 'string' ? [call] : call.operations))

/** A customer by whatever names it. */
export const customerReads: Calls = ['getCustomerById', 'getCustomerByKey', 'queryCustomers']
/** Rows of a file or of another project, compared with customers and brought to them. */
export const customerRows: Calls = ['queryCustomers', 'createCustomer', 'updateCustomerById']
export const messageReads: Calls = [
  'queryMessages',
  {operations: ['getCustomerByKey', 'queryCustomers'], when: '--resource of a customer'},
]
export const quoteReads: Calls = ['getMyQuoteById', 'getMyQuoteByKey']
export const quoteWrites: Calls = [...quoteReads, 'updateMyQuoteById']
/** A token of the client's own, and what it opens: that may stay unknown. */
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
