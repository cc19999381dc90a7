export {signInCustomer} from '../../api/sign-in.js'
