export {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from '../../api/customers/operations.js'
