export {createCustomer, type SignInResult} from '../../api/sign-up.js'
