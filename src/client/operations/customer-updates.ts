export {deleteCustomerById, updateCustomerById} from '../../api/customer-updates.js'
