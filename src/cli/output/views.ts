import {type CustomerField, fieldRows} from '../../domain/customers/fields.js'
import {type NeededScopes, sometimesText} from '../command/scopes.js'
import {valueAt} from '../render/fields.js'
import {type Column, column, type View} from '../render/view.js'
import {type DocumentModel, modelOf} from './known-fields.js'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const nameOf = (customer: unknown): string =>
  fieldRows
    .filter(({namePart}) => namePart)
    .map(({name: part}) => text(valueAt(customer, part)))
    .filter((part) => part !== '')
    .join(' ')

const list = (document: unknown, path: string): readonly unknown[] => {
  const value = valueAt(document, path)
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** One address in one line, with its roles. */
function addressLine(customer: unknown, address: unknown): string {
  const id = valueAt(address, 'id')
  const roles = [
    ...(valueAt(customer, 'defaultShippingAddressId') === id ? ['default shipping'] : []),
    ...(valueAt(customer, 'defaultBillingAddressId') === id ? ['default billing'] : []),
  ]
  const parts = [
    [text(valueAt(address, 'streetName')), text(valueAt(address, 'streetNumber'))].filter(Boolean).join(' '),
    [text(valueAt(address, 'postalCode')), text(valueAt(address, 'city'))].filter(Boolean).join(' '),
    text(valueAt(address, 'country')),
  ].filter((part) => part !== '')
  const key = text(valueAt(address, 'key'))
  return [
    `${text(id)}${key === '' ? '' : ` (${key})`}`,
    parts.join(', '),
    ...(roles.length > 0 ? [`[${roles.join(', ')}]`] : []),
  ].join('  ')
}

export const addressLines = (customer: unknown): string[] =>
  list(customer, 'addresses').map((address) => addressLine(customer, address))

const fieldColumns = (isShown: (field: CustomerField) => boolean): Column[] =>
  fieldRows.filter(isShown).map(({name, label, header = label}) => column(header, name))

const customerModel = async (): Promise<DocumentModel> =>
  (await import('../../domain/customers/customer.js')).Customer as unknown as DocumentModel

export const customerView: View = {
  model: customerModel,
  columns: [
    column('id'),
    column('key'),
    column('email'),
    column('name', nameOf),
    column('verified', (customer) => (valueAt(customer, 'isEmailVerified') === true ? 'yes' : 'no')),
    column('version'),
  ],
  card: [
    column('id'),
    column('version'),
    ...fieldColumns(({identifies}) => identifies === true),
    column('verified', (customer) => (valueAt(customer, 'isEmailVerified') === true ? 'yes' : 'no')),
    column('name', nameOf),
    ...fieldColumns(({identifies, namePart}) => !identifies && !namePart),
    column('sign-in', 'authenticationMode'),
    column('stores'),
    column('group', 'customerGroup'),
    column('groups', (customer) =>
      list(customer, 'customerGroupAssignments').map((entry) => valueAt(entry, 'customerGroup')),
    ),
    column('addresses', (customer) => addressLines(customer).join(' | ')),
    column('custom', 'custom.fields'),
    column('created', 'createdAt'),
    column('modified', 'lastModifiedAt'),
  ],
}

export const customerTokenView: View = {
  columns: [column('id'), column('customer', 'customerId'), column('value'), column('expires', 'expiresAt')],
  card: [
    column('token', 'value'),
    column('customer', 'customerId'),
    column('expires', 'expiresAt'),
    column('older tokens', (token) =>
      valueAt(token, 'invalidateOlderTokens') === true ? 'invalidated' : 'still valid',
    ),
    column('id'),
  ],
}

export const messageView: View = {
  columns: [
    column('createdAt'),
    column('type'),
    column(
      'resource',
      (message) => `${text(valueAt(message, 'resource.typeId'))} ${text(valueAt(message, 'resource.id'))}`,
    ),
    column('version', 'resourceVersion'),
    column('id'),
  ],
}

/** Any document: each leaf on a line. */
export const plainView: View = {columns: [column('id'), column('key'), column('version')]}

const ofCustomer = ({header, value}: Column): Column => ({
  header,
  value: (result) => {
    const customer = valueAt(result, 'customer')
    return typeof value === 'string' ? valueAt(customer, value) : value(customer)
  },
})

/** A sign-up or sign-in: the customer, and the cart if there is one. */
export const signInView: View = {
  model: async () => ({type: 'object', entries: {customer: await customerModel(), cart: {type: 'unknown'}}}),
  columns: customerView.columns.map(ofCustomer),
  card: [...(customerView.card ?? []).map(ofCustomer), column('cart', 'cart.id')],
  id: 'customer.id',
}

export const issuedTokenView: View = {
  columns: [column('access_token'), column('expires_in'), column('scope')],
  card: [
    column('access token', 'access_token'),
    column('refresh token', 'refresh_token'),
    column('valid for', (token) => `${String(valueAt(token, 'expires_in'))} s`),
    column('scope'),
  ],
  id: 'access_token',
}

export const introspectionView: View = {
  columns: [column('active'), column('client', 'client_id'), column('scope')],
  card: [
    column('active', (answer) => (valueAt(answer, 'active') === true ? 'yes' : 'no')),
    column('client', 'client_id'),
    column('scope'),
    column('expires', (answer) => {
      const end = valueAt(answer, 'exp')
      return typeof end === 'number' ? new Date(end).toISOString() : undefined
    }),
  ],
  id: 'client_id',
}

export const sessionView: View = {
  model: async () => modelOf('name', 'flow', 'place', 'scope', 'expiresAt', 'expired', 'refreshable'),
  columns: ['name', 'flow', 'expiresAt', 'expired', 'refreshable', 'place'].map((name) => column(name)),
  id: 'name',
}

export const scopesView: View = {
  columns: [
    column('command'),
    column('scopes'),
    column('also', (row) => ((row as NeededScopes).also ?? []).map(sometimesText).join('; ')),
  ],
  id: 'command',
}

export const messageTypeView: View = {columns: [column('type'), column('produced by', 'producedBy')], id: 'type'}

const auditColumns = ['time', 'operator', 'profile', 'project', 'command', 'phase', 'target', 'result', 'ticket']

export const auditView: View = {
  model: async () =>
    modelOf(
      ...auditColumns,
      'actions',
      'reason',
      'correlationId',
      'versionBefore',
      'versionAfter',
      'adopts',
      'previous',
    ),
  columns: auditColumns.map((name) => column(name)),
  id: 'target',
}
