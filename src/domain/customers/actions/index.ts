import {type Registry, registryOf} from '../../action.js'
import type {Customer} from '../customer.js'
import {addAddress} from './add-address.js'
import {addressRoles} from './address-roles.js'
import {changeAddress} from './change-address.js'
import {changeEmail} from './change-email.js'
import {changeName} from './change-name.js'
import {customFieldActions} from './custom-fields.js'
import {
  addCustomerGroupAssignment,
  removeCustomerGroupAssignment,
  setCustomerGroup,
  setCustomerGroupAssignments,
} from './groups.js'
import {plainFields, setKey, setLocale} from './plain-fields.js'
import {removeAddress} from './remove-address.js'
import {setAuthenticationMode} from './set-authentication-mode.js'
import {setCustomerNumber} from './set-customer-number.js'
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
