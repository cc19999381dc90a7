import {cellText, listAt, textAt, valueAt} from '../output/fields.js'
import {column, identifier, moment, type View} from '../output/view.js'
import {customerView} from '../output/views.js'

/** `Kiel DE, Berlin DE`: where a customer lives, the default address for shipping first. */
const placesOf = (customer: unknown): string => {
  const shipping = valueAt(customer, 'defaultShippingAddressId')
  const places = [...listAt(customer, 'addresses')]
    .sort((a, b) => Number(valueAt(b, 'id') === shipping) - Number(valueAt(a, 'id') === shipping))
    .map((address) => [textAt(address, 'city'), textAt(address, 'country')].filter(Boolean).join(' '))
  return [...new Set(places)].join(', ')
}

/** Customers that a search found: what tells people of the same name apart. */
export const foundView: View = {
  ...customerView,
  columns: [
    // Email, name and key.
    ...customerView.columns.slice(0, 3),
    column('place', placesOf),
    column('stores', (one) => listAt(one, 'stores').map(cellText).join(' ') || 'global'),
    identifier('number', 'customerNumber'),
    column('company', 'companyName'),
    column('born', 'dateOfBirth'),
    moment('since', 'createdAt'),
    identifier('id'),
  ],
}
