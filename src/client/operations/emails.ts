export {confirmEmail, createEmailToken, getCustomerByEmailToken} from '../../api/emails.js'
