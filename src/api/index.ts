import {withJsonText} from '../domain/json-text.js'
import {nextTurn} from '../work/time-slices.js'
import {endCustomerSessions, getCustomerSessions} from './accounts/access-state.js'
import {emailOperations} from './accounts/emails.js'
import {profileOperations} from './accounts/me.js'
import {signInMe, signUpMe} from './accounts/my-sign-in.js'
import {passwordOperations} from './accounts/passwords.js'
import {signInCustomer} from './accounts/sign-in.js'
import {createCustomer} from './accounts/sign-up.js'
import {cartOperations} from './carts/cart-operations.js'
import {readingOperations} from './collections/reading.js'
import {writingOperations} from './collections/writing.js'
import {readingCustomers} from './customers/operations.js'
import {changingCustomers} from './customers/updates.js'
import {queryGraphql} from './graphql/operation.js'
import {apiClientOperations} from './oauth/api-clients.js'
import {oauthOperations} from './oauth/operations.js'
import {openApi} from './openapi.js'
import {type AnyOperation, operation} from './operation/operation.js'
import {registered} from './operation/registered.js'
import {getMark, setMark} from './project/marks.js'
import {getMessage, queryMessages} from './project/messages.js'
import {projectOperations} from './project/operations.js'
import {myQuoteOperations} from './quotes/operations.js'
import {searchOperations} from './search/operations.js'

const declared: readonly AnyOperation[] = [
  ...readingCustomers,
  ...searchOperations,
  ...[getCustomerSessions, endCustomerSessions],
  createCustomer,
  ...changingCustomers,
  signInCustomer,
  ...passwordOperations,
  ...emailOperations,
  ...profileOperations,
  ...[signUpMe, signInMe],
  ...myQuoteOperations,
  ...[queryMessages, getMessage],
  ...readingOperations,
  ...writingOperations,
  ...cartOperations,
  queryGraphql,
  ...projectOperations,
  ...[getMark, setMark],
  ...apiClientOperations,
  ...oauthOperations,
]

function probeOperations(operations: readonly AnyOperation[]): readonly AnyOperation[] {
  const shared = {method: 'GET', area: 'Probes', permission: {kind: 'open'}} as const
  let document: Promise<object> | undefined
  return [
    operation({
      ...shared,
      id: 'health',
      path: '/health',
      summary: 'tell that the server answers',
      handle: async () => ({status: 'ok'}),
    }),
    operation({
      ...shared,
      id: 'openApi',
      path: '/openapi.json',
      summary: 'describe the API',
      handle: async () => {
        document ??= openApi(operations).then((body) => withJsonText(body, JSON.stringify(body)))
        const made = await document
        // Hundreds of answers of a megabyte, asked at once or while it is made, are one to a turn.
        await nextTurn()
        return made
      },
    }),
  ]
}

const described = declared.flatMap(registered)

/** Every operation of the API and the authorization service, store twins and probes included. */
export const operations: readonly AnyOperation[] = [...described, ...probeOperations(described)]
