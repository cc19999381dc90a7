/** The operations that callers outside the API pass to `call`. A command imports only the file of its area. */

export {endCustomerSessions, getCustomerSessions} from './accounts/access-state.js'
export {confirmEmail, createEmailToken, getCustomerByEmailToken} from './accounts/emails.js'
export {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from './accounts/passwords.js'
export {signInCustomer} from './accounts/sign-in.js'
export {createCustomer, type SignInResult} from './accounts/sign-up.js'
export {
  createCustomerGroup,
  createStore,
  createType,
  queryCustomerGroups,
  queryStores,
  queryTypes,
} from './collections/operations.js'
export {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from './customers/operations.js'
export {deleteCustomerById, updateCustomerById} from './customers/updates.js'
export {
  introspectToken,
  requestAnonymousToken,
  requestCustomerToken,
  requestCustomerTokenInStore,
  requestToken,
  revokeToken,
} from './oauth/operations.js'
export {collectionOf} from './operation/collection-table.js'
export type {AnyOperation} from './operation/operation.js'
export {opens} from './operation/permit.js'
export {getMessage, queryMessages} from './project/messages.js'
export {getProject} from './project/operations.js'
export {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
  queryMyQuotes,
  updateMyQuoteById,
} from './quotes/operations.js'
export {searchCustomers} from './search/operations.js'
