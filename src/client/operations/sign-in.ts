export {signInCustomer} from '../../api/sign-in/sign-in.js'
