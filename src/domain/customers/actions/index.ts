import {type Registry, registryOf} from '../../action.js'
import {customActions, ownCustomActions} from '../../custom-actions.js'
import {withMember} from '../../equal.js'
import {Text} from '../../rules.js'
import {missingAddress} from '../address-choice.js'
import type {Customer} from '../customer.js'
import {changeEmail, changeName, plainFields, setAuthenticationMode, setCustomerNumber} from './account.js'
import {addressActions} from './addresses.js'
import {groupActions, storeActions} from './groups-and-stores.js'

const customFieldActions = [
  ...ownCustomActions<Customer>({resourceTypeId: 'customer', messages: 'CustomerCustom', my: true}),
  ...customActions<Customer>({
    infix: 'AddressCustom',
    fields: ['addresses'],
    of: 'of an address',
    resourceTypeId: 'address',
    messages: 'CustomerAddressCustom',
    my: true,
    members: {addressId: Text},
    find: ({addresses}, {addressId}) => addresses.find(({id}) => id === addressId),
    missing: ({addressId}) => missingAddress({addressId: String(addressId)}),
    write: (customer, holder, custom) => {
      const addresses = customer.addresses.map((address) =>
        address === holder ? withMember(address, 'custom', custom) : address,
      )
      return addresses.every((address, at) => address === customer.addresses[at]) ? customer : {...customer, addresses}
    },
  }),
]

export const customerActions: Registry<Customer> = registryOf([
  changeEmail,
  ...plainFields,
  setCustomerNumber,
  ...addressActions,
  ...customFieldActions,
  ...groupActions,
  ...storeActions,
  setAuthenticationMode,
  changeName,
])
