/** The declarations that callers outside the client name in `call`; the API itself is not theirs to import. */
export {updateCustomerById} from '../api/customer-updates.js'
export {queryCustomers} from '../api/customers.js'
export {createCustomer} from '../api/sign-up.js'
