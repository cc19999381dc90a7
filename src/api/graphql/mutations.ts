import {customerActions} from '../../domain/customers/actions/index.js'
import {defined} from '../../domain/equal.js'
import {myQuoteActions, myQuoteStates} from '../../domain/quotes/actions.js'
import {confirmEmail, createEmailToken} from '../accounts/emails.js'
import {
  changeMyPassword,
  confirmMyEmail,
  deleteMe,
  myCustomerActions,
  resetMyPassword,
  updateMe,
} from '../accounts/me.js'
import {CustomerSignMeUpDraft, signInMe, signUpMe} from '../accounts/my-sign-in.js'
import {changeCustomerPassword, createPasswordToken, resetCustomerPassword} from '../accounts/passwords.js'
import {signInCustomer} from '../accounts/sign-in.js'
import {createCustomer} from '../accounts/sign-up.js'
import {deleteCustomerById, deleteCustomerByKey, updateCustomerById, updateCustomerByKey} from '../customers/updates.js'
import type {Context} from '../operation/context.js'
import {type AnyOperation, messagesOf, type Schema, secretsOf} from '../operation/operation.js'
import {permitTouch} from '../operation/permit.js'
import {validated} from '../pipeline/validate.js'
import {updateMyQuoteById, updateMyQuoteByKey} from '../quotes/operations.js'
import {actionsOf, bodyOf, InputTypes, nameIn} from './inputs.js'

/** The mutations of accounts and own quotes: each calls an operation, with its permission, rules and errors. Source: API › GraphQL. */

type Args = Readonly<Record<string, unknown>>

interface Mutation {
  /** By id, and by key where either names what is changed. */
  readonly operations: readonly [AnyOperation, AnyOperation?]
  readonly args: string
  readonly result: string
  readonly body?: (args: Args) => unknown
  readonly schema?: Schema
  /** Takes no store, though its operations have twins below one. */
  readonly ofProject?: true
}

const inputs = new InputTypes()

const drafted = (operation: AnyOperation, draft: string, schema = operation.body): Mutation => ({
  operations: [operation],
  ...(schema ? {schema} : {}),
  args: `draft: ${inputs.body(draft, schema)}!`,
  result: 'CustomerSignInResult!',
  body: ({draft: given}) => bodyOf(given),
})

const updated = (operations: Mutation['operations'], actions: string, name = '', result = 'Customer'): Mutation => ({
  operations,
  args: `version: Long! actions: [${actions}!]! ${name}`,
  result,
  body: ({version, actions: given}) => ({version, actions: actionsOf(given)}),
})

const deleted = (operations: Mutation['operations'], name = ''): Mutation => ({
  operations,
  args: `version: Long! personalDataErasure: Boolean = false ${name}`,
  result: 'Customer',
})

const taking = (operation: AnyOperation, args: string, result = 'Customer'): Mutation => ({
  operations: [operation],
  args,
  result,
})

const idOrKey = 'id: String key: String'
const passwords = 'currentPassword: String! newPassword: String!'
const reset = 'tokenValue: String! newPassword: String!'
const older = 'invalidateOlderTokens: Boolean! = false'

const mutations: Readonly<Record<string, Mutation>> = {
  customerSignUp: drafted(createCustomer, 'CustomerSignUpDraft'),
  customerSignIn: drafted(signInCustomer, 'CustomerSignInDraft'),
  updateCustomer: updated(
    [updateCustomerById, updateCustomerByKey],
    inputs.actions('CustomerUpdateAction', customerActions),
    idOrKey,
  ),
  deleteCustomer: deleted([deleteCustomerById, deleteCustomerByKey], idOrKey),
  customerChangePassword: taking(changeCustomerPassword, `id: String! version: Long! ${passwords}`),
  customerResetPassword: taking(resetCustomerPassword, `version: Long ${reset}`),
  customerConfirmEmail: taking(confirmEmail, 'version: Long tokenValue: String!'),
  customerCreatePasswordResetToken: taking(
    createPasswordToken,
    `email: String! ttlMinutes: Int ${older}`,
    'CustomerPasswordToken',
  ),
  customerCreateEmailVerificationToken: taking(
    createEmailToken,
    `id: String! version: Long ttlMinutes: Int! ${older}`,
    'CustomerEmailToken!',
  ),
  customerSignMeUp: drafted(signUpMe, 'CustomerSignMeUpDraft', CustomerSignMeUpDraft),
  customerSignMeIn: drafted(signInMe, 'CustomerSignMeInDraft'),
  updateMyCustomer: updated([updateMe], inputs.actions('MyCustomerUpdateAction', myCustomerActions)),
  deleteMyCustomer: deleted([deleteMe]),
  customerChangeMyPassword: taking(changeMyPassword, `version: Long! ${passwords}`),
  customerConfirmMyEmail: taking(confirmMyEmail, 'tokenValue: String!'),
  customerResetMyPassword: taking(resetMyPassword, reset),
  updateMyQuote: {
    ...updated(
      [updateMyQuoteById, updateMyQuoteByKey],
      inputs.actions('MyQuoteUpdateAction', myQuoteActions, 'Quote'),
      idOrKey,
      'Quote',
    ),
    ofProject: true,
  },
}

const fields = Object.entries(mutations).map(([name, {args, result, operations, ofProject}]) => {
  const inStore =
    !ofProject && operations.every((one) => one?.inStore !== undefined) ? 'storeKey: KeyReferenceInput' : ''
  return `  ${name}(${args} ${inStore}): ${result}`
})

const tokenType = (name: string): string =>
  `type ${name} { id: String! version: Long! customerId: String! createdAt: DateTime! lastModifiedAt: DateTime! expiresAt: DateTime!
  value: String! invalidateOlderTokens: Boolean! createdBy: Initiator lastModifiedBy: Initiator }`

export const mutationText = `
type Mutation {
${fields.join('\n')}
}

type CustomerSignInResult { customer: Customer! cart: Cart }
${tokenType('CustomerPasswordToken')}
${tokenType('CustomerEmailToken')}

scalar KeyReferenceInput
enum AuthenticationMode { Password ExternalAuth }
enum MyQuoteState { ${myQuoteStates.join(' ')} }
enum AnonymousCartSignInMode { MergeWithExistingCustomerCart UseAsNewActiveCustomerCart }
input ResourceIdentifierInput { typeId: String id: String key: String }
input CustomFieldInput { name: String! value: String! }
input CustomFieldsDraft { typeId: String typeKey: String type: ResourceIdentifierInput fields: [CustomFieldInput!] }
${inputs.text}
`

/** Runs the operation of a mutation as the pipeline does: permission, body, store, rules. */
async function performed(mutation: Mutation, args: Args, context: Context): Promise<unknown> {
  const [byId, byKey] = mutation.operations
  const operation = byKey && 'key' in nameIn(args, 'what is changed') ? byKey : byId
  const {storeKey: given, ...own} = args
  const storeKey = text(given)
  const touching = {...context, storeKey, takesTexts: false}
  await permitTouch(touching, operation.permission)
  const asBody = mutation.body ?? bodyOf
  const schema = mutation.schema ?? operation.body
  const body = schema ? validated(schema, asBody(own)) : undefined
  const params = defined({projectKey: context.project.key, storeKey, id: text(own['id']), key: text(own['key'])})
  const query = new Map(
    Object.entries({version: own['version'], dataErasure: own['personalDataErasure']}).flatMap(([name, value]) =>
      operation.query?.includes(name) && value !== undefined && value !== null
        ? [[name, [String(value)]] as const]
        : [],
    ),
  )
  return operation.handle(touching, {params, query, body})
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const mutationRoot = Object.fromEntries(
  Object.entries(mutations).map(([name, mutation]) => [
    name,
    (args: Args, context: Context) => performed(mutation, args, context),
  ]),
)

const called = Object.values(mutations).flatMap(({operations}) => operations.filter((one) => one !== undefined))

export const mutationScopes = called.flatMap(({permission}) => (permission.kind === 'bearer' ? permission.anyOf : []))

export const mutated = {
  messages: [...new Set(called.flatMap(messagesOf))],
  secrets: [...new Set(called.flatMap(secretsOf))],
}
