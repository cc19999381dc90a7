export {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../../api/customers/emails.js'
