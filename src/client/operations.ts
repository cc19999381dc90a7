/** The declarations that callers outside the client name in `call`; the API itself is not theirs to import. */
export {collectionOf} from '../api/collection-table.js'
export {deleteCustomerById, updateCustomerById} from '../api/customer-updates.js'
export {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from '../api/customers.js'
export {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../api/emails.js'
export {getMessage, queryMessages} from '../api/messages.js'
export {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
  queryMyQuotes,
  updateMyQuoteById,
} from '../api/my-quotes.js'
export {
  introspectToken,
  requestAnonymousToken,
  requestCustomerToken,
  requestCustomerTokenInStore,
  requestToken,
  revokeToken,
} from '../api/oauth.js'
export type {AnyOperation} from '../api/operation.js'
export {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from '../api/passwords.js'
export {opens} from '../api/permit.js'
export {getProject} from '../api/project.js'
export {signInCustomer} from '../api/sign-in.js'
export {createCustomer, type SignInResult} from '../api/sign-up.js'
