export {createCustomer, type SignInResult} from '../../api/customers/sign-up.js'
