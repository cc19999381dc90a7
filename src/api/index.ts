import {apiClientOperations} from './api-clients.js'
import {collectionOperations} from './collections.js'
import {deleteCustomerById, deleteCustomerByKey, updateCustomerById, updateCustomerByKey} from './customer-updates.js'
import {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from './customers.js'
import {confirmEmail, createEmailToken, getCustomerByEmailToken} from './emails.js'
import {storeTwin} from './in-store.js'
import {profileOperations} from './me.js'
import {getMessage, messageExistsById, messageExistsByQuery, queryMessages} from './messages.js'
import {myQuoteOperations} from './my-quotes.js'
import {signInMe, signUpMe} from './my-sign-in.js'
import {oauthOperations} from './oauth.js'
import type {AnyOperation} from './operation.js'
import {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from './passwords.js'
import {probeOperations} from './probes.js'
import {projectOperations} from './project.js'
import {signInCustomer} from './sign-in.js'
import {createCustomer} from './sign-up.js'

const declared: readonly AnyOperation[] = [
  queryCustomers,
  customerExistsByQuery,
  createCustomer,
  getCustomerById,
  customerExistsById,
  getCustomerByKey,
  customerExistsByKey,
  updateCustomerById,
  updateCustomerByKey,
  deleteCustomerById,
  deleteCustomerByKey,
  signInCustomer,
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
  createEmailToken,
  getCustomerByEmailToken,
  confirmEmail,
  ...profileOperations,
  signUpMe,
  signInMe,
  ...myQuoteOperations,
  queryMessages,
  messageExistsByQuery,
  getMessage,
  messageExistsById,
  ...collectionOperations,
  ...projectOperations,
  ...apiClientOperations,
  ...oauthOperations,
]

const described: readonly AnyOperation[] = [
  ...declared,
  ...declared.filter(({inStore}) => inStore === true).map(storeTwin),
]

/** Every operation of the API and the authorization service, store twins and probes included. */
export const operations: readonly AnyOperation[] = [...described, ...probeOperations(described)]
