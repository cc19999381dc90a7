import type {CustomShapes, Shape} from '../../src/query/ast.js'

const text: Shape = {leaf: 'string'}
const reference: Shape = {members: {typeId: text, id: text}}

/** What a customer may be asked about, as far as these tests need it. */
export const customerShape: Shape = {
  members: {
    id: text,
    version: {leaf: 'number'},
    createdAt: {leaf: 'datetime'},
    email: text,
    lowercaseEmail: {leaf: 'string', facet: 'lowercaseEmail'},
    firstName: text,
    lastName: text,
    dateOfBirth: {leaf: 'date'},
    isEmailVerified: {leaf: 'boolean'},
    customerGroup: reference,
    addresses: {
      array: true,
      members: {
        id: text,
        city: text,
        country: text,
        custom: {members: {type: reference, fields: {fieldsOf: 'address'}}},
      },
    },
    stores: {array: true, members: {typeId: text, key: text}},
    shippingAddressIds: {leaf: 'string', array: true},
    custom: {members: {type: reference, fields: {fieldsOf: 'customer'}}},
  },
}

const fields: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['x', {leaf: 'number'}],
  ['seenAt', {leaf: 'datetime'}],
  ['callAt', {leaf: 'time'}],
  ['visits', {leaf: 'datetime', array: true}],
  ['tags', {leaf: 'string', array: true}],
  ['budget', {members: {currencyCode: text, centAmount: {leaf: 'number'}}}],
  ['credits', {array: true, members: {currencyCode: text, centAmount: {leaf: 'number'}}}],
  ['greeting', {open: true, of: text}],
])

/** Types of some custom fields; the others are of no type. */
export const customShapes: CustomShapes = new Map([
  ['customer', fields],
  ['address', fields],
])

export const facets: Readonly<Record<string, (document: object) => string | undefined>> = {
  lowercaseEmail: (document) => {
    const email: unknown = Reflect.get(document, 'email')
    return typeof email === 'string' ? email.toLowerCase() : undefined
  },
}

export const noVars: ReadonlyMap<string, readonly string[]> = new Map()
