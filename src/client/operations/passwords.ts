export {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from '../../api/passwords.js'
