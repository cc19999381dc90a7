import {type Registry, registryOf} from '../../action.js'
import type {Customer} from '../customer.js'
import {changeEmail, changeName, setAuthenticationMode, setCustomerNumber} from './account.js'
import {addressRoles} from './address-roles.js'
import {addAddress, changeAddress, removeAddress} from './addresses.js'
import {customFieldActions} from './custom-fields.js'
import {
  addCustomerGroupAssignment,
  removeCustomerGroupAssignment,
  setCustomerGroup,
  setCustomerGroupAssignments,
} from './groups.js'
import {plainFields, setKey, setLocale} from './plain-fields.js'
import {addStore, removeStore, setStores} from './stores.js'

/** Every update action of customers, by name. */
export const customerActions: Registry<Customer> = registryOf([
  changeEmail,
  ...plainFields,
  setLocale,
  setKey,
  setCustomerNumber,
  addAddress,
  changeAddress,
  removeAddress,
  ...addressRoles,
  ...customFieldActions,
  setCustomerGroup,
  addCustomerGroupAssignment,
  removeCustomerGroupAssignment,
  setCustomerGroupAssignments,
  setStores,
  addStore,
  removeStore,
  setAuthenticationMode,
  changeName,
])
