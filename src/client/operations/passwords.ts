export {
  changeCustomerPassword,
  createPasswordToken,
  getCustomerByPasswordToken,
  resetCustomerPassword,
} from '../../api/sign-in/passwords.js'
