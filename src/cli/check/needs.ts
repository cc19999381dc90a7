import {deleteCustomerById, updateCustomerById} from '../../client/operations/customer-updates.js'
import {getCustomerById, queryCustomers} from '../../client/operations/customers.js'
import {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../../client/operations/emails.js'
import {getMessage, queryMessages} from '../../client/operations/messages.js'
import {queryMyQuotes, updateMyQuoteById} from '../../client/operations/my-quotes.js'
import type {AnyOperation} from '../../client/operations/operation.js'
import {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from '../../client/operations/passwords.js'
import {opens} from '../../client/operations/permit.js'
import {signInCustomer} from '../../client/operations/sign-in.js'
import {createCustomer} from '../../client/operations/sign-up.js'
import {invalidValue} from '../failure.js'
import {oneLine} from '../render/sanitize.js'

/** Which operations a command calls: what it needs of a credential stands in their declarations. */

const read = [getCustomerById, queryCustomers]
const update = [...read, updateCustomerById]

const operationsBy = new Map<string, readonly AnyOperation[]>([
  ['customers get', read],
  ['customers query', read],
  ['customers exists', read],
  ['customers find', read],
  ['customers card', [...read, queryMessages]],
  ['customers create', [createCustomer]],
  ['customers update', update],
  ['customers delete', [...read, deleteCustomerById]],
  ['customers import', [...update, createCustomer]],
  ['customers export', [queryCustomers]],
  ['customers diff', [queryCustomers]],
  ['customers sign-in', [signInCustomer]],
  ['customers change-password', [...read, changeCustomerPassword]],
  ['customers reset-password', [...read, createPasswordToken, resetCustomerPassword]],
  ['customers verify-email', [...read, createEmailToken, confirmEmail]],
  ['customers password-token create', [...read, createPasswordToken]],
  ['customers password-token get', [getCustomerByPasswordToken]],
  ['customers password-token use', [resetCustomerPassword]],
  ['customers email-token create', [...read, createEmailToken]],
  ['customers email-token get', [getCustomerByEmailToken]],
  ['customers email-token use', [confirmEmail]],
  ['quotes get', [queryMyQuotes]],
  ['quotes query', [queryMyQuotes]],
  ['quotes accept', [queryMyQuotes, updateMyQuoteById]],
  ['quotes decline', [queryMyQuotes, updateMyQuoteById]],
  ['quotes renegotiate', [queryMyQuotes, updateMyQuoteById]],
  ['messages list', [queryMessages]],
  ['messages get', [getMessage]],
  ['messages tail', [queryMessages]],
  ['messages wait', [queryMessages]],
])

/** The commands that the words name: one, or all below a topic; without words all of them. */
export function commandsNamed(words: readonly string[]): readonly string[] {
  const known = [...operationsBy.keys()]
  if (words.length === 0) return known
  return words.flatMap((text) => {
    const name = text.trim().split(/\s+/).join(' ')
    const found = known.filter((command) => command === name || command.startsWith(`${name} `))
    if (found.length > 0) return found
    throw invalidValue(`'${oneLine(name)}' is no command that needs scopes.`, `Name some of: ${known.join(', ')}.`)
  })
}

/** What the command needs and the scopes do not give: the alternatives for each such operation. */
export function missingScopes(
  command: string,
  scopes: readonly string[],
  place: {readonly projectKey: string; readonly storeKey?: string},
): readonly string[] {
  const missing = (operationsBy.get(command) ?? []).flatMap(({permission, inStore, id}) => {
    if (permission.kind !== 'bearer') return []
    const {projectKey} = place
    const isOpen = opens(permission, scopes, inStore ? place : {projectKey})
    return isOpen ? [] : [`${id} needs ${permission.anyOf.map((name) => `${name}:${projectKey}`).join(' or ')}`]
  })
  return [...new Set(missing)]
}
