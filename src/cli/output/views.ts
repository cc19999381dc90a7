import {type CustomerField, fieldRows} from '../../domain/customers/fields.js'
import {isoTimeOf} from '../../domain/iso-time.js'
import type {SchemaParts} from '../../domain/shape-of.js'
import {cellAt, cellText, listAt, textAt, valueAt} from './fields.js'
import {modelOf} from './known-fields.js'
import {type Column, column, identifier, kept, moment, type View, whole, wrapping} from './view.js'

export const nameOf = (customer: unknown): string =>
  fieldRows
    .filter(({namePart}) => namePart)
    .map(({name: part}) => textAt(customer, part))
    .filter((part) => part !== '')
    .join(' ')

/** Name and email of a customer: `Petra Vance <petra@example.com>`. The document may be masked already. */
export function personOf(customer: unknown): string {
  const name = nameOf(customer) || textAt(customer, 'companyName')
  const email = textAt(customer, 'email')
  return name === '' ? email : `${name} <${email}>`
}

/** One address in one line, with its roles. */
function addressLine(customer: unknown, address: unknown, withId: boolean): string {
  const id = valueAt(address, 'id')
  const roles = [
    ...(valueAt(customer, 'defaultShippingAddressId') === id ? ['default shipping'] : []),
    ...(valueAt(customer, 'defaultBillingAddressId') === id ? ['default billing'] : []),
  ]
  const parts = [
    [textAt(address, 'streetName'), textAt(address, 'streetNumber')].filter(Boolean).join(' '),
    [textAt(address, 'postalCode'), textAt(address, 'city')].filter(Boolean).join(' '),
    textAt(address, 'country'),
  ].filter((part) => part !== '')
  const key = textAt(address, 'key')
  return [
    ...(withId ? [`${textAt(address, 'id')}${key === '' ? '' : ` (${key})`}`] : key === '' ? [] : [key]),
    parts.join(', '),
    ...(roles.length > 0 ? [`[${roles.join(', ')}]`] : []),
  ].join('  ')
}

/** The addresses of a customer; without ids for people who have no command to type. */
export const addressLines = (customer: unknown, withIds: boolean): string[] =>
  listAt(customer, 'addresses').map((address) => addressLine(customer, address, withIds))

const fieldColumns = (isShown: (field: CustomerField) => boolean): Column[] =>
  fieldRows.filter(isShown).map(({name, label, header = label}) => column(header, name))

const customerModel = async (): Promise<SchemaParts> =>
  (await import('../../domain/customers/customer.js')).Customer as unknown as SchemaParts

export const customerView: View = {
  model: customerModel,
  columns: [
    whole('email'),
    kept('name', nameOf),
    column('key', 'key', {keep: 'whole', fallbackColumn: 'id'}),
    moment('since', 'createdAt'),
    column('verified', (customer) => (valueAt(customer, 'isEmailVerified') === true ? 'yes' : 'no')),
    column('version'),
    identifier('id'),
  ],
  card: [
    whole('id'),
    column('version'),
    ...fieldColumns(({identifies}) => identifies === true),
    column('verified', (customer) => (valueAt(customer, 'isEmailVerified') === true ? 'yes' : 'no')),
    column('name', nameOf),
    ...fieldColumns(({identifies, namePart}) => !identifies && !namePart),
    column('sign-in', 'authenticationMode'),
    column('stores'),
    column('group', 'customerGroup'),
    column('groups', (customer) =>
      listAt(customer, 'customerGroupAssignments').map((entry) => valueAt(entry, 'customerGroup')),
    ),
    column('addresses', (customer) => addressLines(customer, true).join(' | ')),
    column('custom', 'custom.fields'),
    moment('created', 'createdAt'),
    moment('modified', 'lastModifiedAt'),
  ],
}

export const customerTokenView: View = {
  columns: [
    whole('value'),
    whole('link'),
    moment('expires', 'expiresAt'),
    identifier('customer', 'customerId'),
    identifier('id'),
  ],
  card: [
    whole('link'),
    // A link has it already.
    whole('token', (token) => (valueAt(token, 'link') === undefined ? valueAt(token, 'value') : undefined)),
    moment('expires', 'expiresAt'),
    column('older tokens', (token) =>
      valueAt(token, 'invalidateOlderTokens') === true ? 'invalidated' : 'still valid',
    ),
  ],
}

export const messageView: View = {
  columns: [
    moment('createdAt'),
    kept('type'),
    identifier('resource', 'resource.id'),
    column('of', 'resource.typeId'),
    column('version', 'resourceVersion'),
    identifier('id'),
  ],
}

/** `CustomerPasswordTokenCreated` as `password token created`. */
export const messageTypeText = (type: string): string => {
  if (type === 'CustomerCreated') return 'signed up'
  const words = type.replace(/^Customer(?=[A-Z])/, '').replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return words.toLowerCase()
}

/** Any document: each leaf on a line. */
export const plainView: View = {columns: [whole('id'), whole('key'), column('version')]}

const ofCustomer = ({value, ...traits}: Column): Column => ({
  ...traits,
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
  columns: [whole('access_token'), column('expires_in'), wrapping('scope')],
  card: [
    whole('access token', 'access_token'),
    whole('refresh token', 'refresh_token'),
    column('valid for', (token) => `${String(valueAt(token, 'expires_in'))} s`),
    column('scope'),
  ],
  id: 'access_token',
}

export const introspectionView: View = {
  columns: [column('active'), whole('client', 'client_id'), wrapping('scope')],
  card: [
    column('active', (answer) => (valueAt(answer, 'active') === true ? 'yes' : 'no')),
    column('client', 'client_id'),
    column('scope'),
    moment('expires', (answer) => isoTimeOf(valueAt(answer, 'exp'))),
  ],
  id: 'client_id',
}

export const sessionView: View = {
  model: async () => modelOf('name', 'flow', 'place', 'scope', 'expiresAt', 'expired', 'refreshable'),
  columns: [
    whole('name'),
    column('flow'),
    moment('expiresAt'),
    column('expired'),
    column('refreshable'),
    identifier('place'),
  ],
  id: 'name',
}

const joined = (members: readonly string[], separator: string) => (document: unknown) =>
  members
    .map((member) => cellAt(document, member))
    .filter(Boolean)
    .join(separator)

/** Who did it, where, to whom and why; the name of the operation is the first to give way. */
export const auditView: View = {
  model: async () =>
    modelOf(
      'time command target result actions reason ticket checked missed operator profile project',
      'place ended correlationId versionBefore versionAfter',
    ),
  columns: [
    column('time', 'time', {keep: 'cut', moment: 'clock'}),
    kept('operator'),
    kept('profile'),
    kept('result'),
    wrapping('customer', 'target'),
    wrapping('why', (entry) => {
      const fields = ['checked', 'missed'].flatMap((member) => {
        const names = listAt(entry, member).map(cellText)
        return names.length === 0 ? [] : [`${member} ${names.join(', ')}`]
      })
      return [joined(['ticket', 'reason'], ': ')(entry), ...fields].filter(Boolean).join('; ')
    }),
    column('project'),
    column('command', joined(['command', 'actions'], ': ')),
  ],
  id: 'target',
}
