export {deleteCustomerById, updateCustomerById} from '../../api/customers/updates.js'
