import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import type {Field} from '../../domain/field.js'
import {isSecretPath} from '../../domain/secret-members.js'
import {InputError} from '../files/input-error.js'
import {jsonOrText} from '../input/cell.js'

/** How a cell becomes a value. `json` keeps text that is no JSON as text. */
export type Leaf = 'text' | 'date' | 'boolean' | 'index' | 'json'

export type Shape =
  | {readonly kind: 'leaf'; readonly leaf: Leaf}
  | {readonly kind: 'members'; readonly members: ReadonlyMap<string, Shape>}
  | {readonly kind: 'each'; readonly each: Shape}
  /** Members of any name. */
  | {readonly kind: 'open'; readonly leaf: Leaf}

const leaf = (kind: Leaf): Shape => ({kind: 'leaf', leaf: kind})
const text = leaf('text')
const index = leaf('index')
const members = (entries: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'members',
  members: new Map(Object.entries(entries)),
})
const each = (shape: Shape): Shape => ({kind: 'each', each: shape})
const texts = (fields: readonly Field[]): Record<string, Shape> =>
  Object.fromEntries(fields.map((field) => [field.name, leaf(field.leaf ?? 'text')]))

const identifier = members({typeId: text, id: text, key: text})
const custom = members({type: identifier, typeId: text, typeKey: text, fields: {kind: 'open', leaf: 'json'}})
/** Roles that an address may claim for itself, where its row does not know its index. */
export const addressClaims = {
  isDefaultShipping: 'defaultShippingAddress',
  isDefaultBilling: 'defaultBillingAddress',
} as const
const claims = Object.fromEntries(Object.keys(addressClaims).map((name) => [name, leaf('boolean')]))
const address = members({id: text, ...texts(addressFields), custom, ...claims})

/** The shape of a member by its name, or of an element. */
export function shapeIn(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.kind === 'members') return shape.members.get(name)
  if (shape?.kind === 'each') return shape.each
  return shape?.kind === 'open' ? leaf(shape.leaf) : undefined
}

/** What only an exported customer has, and what importing turns into members of a draft. */
const exportedRoles: Record<string, Shape> = {
  defaultShippingAddressId: text,
  shippingAddressIds: each(text),
  defaultBillingAddressId: text,
  billingAddressIds: each(text),
}

const draftMembers: Record<string, Shape> = {
  ...texts(fieldRows),
  authenticationMode: text,
  password: text,
  passwordHash: text,
  isEmailVerified: leaf('boolean'),
  addresses: each(address),
  defaultShippingAddress: index,
  shippingAddresses: each(index),
  defaultBillingAddress: index,
  billingAddresses: each(index),
  customerGroup: identifier,
  customerGroupAssignments: each(members({customerGroup: identifier})),
  stores: each(identifier),
  custom,
  anonymousId: text,
  anonymousCart: identifier,
  anonymousCartId: text,
}

/** What a row may say: a draft, or a customer as it was exported. */
export const draftShape: ReadonlyMap<string, Shape> = new Map(Object.entries({...draftMembers, ...exportedRoles}))

/** Members that the service owns; an exported customer has them, and they are dropped without a word. */
const serverOwned: ReadonlySet<string> = new Set([
  'id',
  'version',
  'versionModifiedAt',
  'lastMessageSequenceNumber',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
])

export const isServerOwned = (path: string): boolean => serverOwned.has(path.split('.', 1)[0] ?? '')

export interface Target {
  readonly path: string
  readonly segments: readonly (string | number)[]
  readonly leaf: Leaf
}

/** Far more addresses than anybody has; keeps `addresses.999999999.city` from allocating. */
const maxIndex = 499

/** Stands for the index of every element. */
export const eachElement = '*'

/** Stands for places behind those of the row: each source of a map gets its own. */
const appendedAddress = /^addresses\.\+\./

export const isAppended = (path: string): boolean => appendedAddress.test(path)

/** A path with `*` for each of its indices. */
export const starred = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, `.${eachElement}`)

/** The place in a draft that a dotted path such as `addresses.0.city` or `addresses.*.city` names, or nothing. */
export function targetOf(path: string): Target | undefined {
  const segments: (string | number)[] = []
  let shape: Shape | undefined = {kind: 'members', members: draftShape}
  for (const segment of path.split('.')) {
    if (segment === '__proto__' || segment === '') return undefined
    const isIndex = shape?.kind === 'each' && segment !== eachElement
    if (isIndex && !(/^\d{1,3}$/.test(segment) && Number(segment) <= maxIndex)) return undefined
    segments.push(isIndex ? Number(segment) : segment)
    shape = shapeIn(shape, segment)
  }
  return shape?.kind === 'leaf' ? {path, segments, leaf: shape.leaf} : undefined
}

/** Every target that a mapping names, checked. Throws InputError for one that is no member of a draft. */
export function checkedTarget(path: string, section: string): Target {
  const every = path.replace(appendedAddress, `addresses.${eachElement}.`)
  if (every !== path && section !== 'columns') {
    throw new InputError(`'${path}' in ${section} names no address: the + is for columns alone.`, {
      remedy: `Write ${every}, which holds for every address.`,
    })
  }
  const target = targetOf(every)
  if (!target) {
    throw new InputError(`'${path}' in ${section} is not a member of a customer draft.`, {
      remedy:
        "Name a member such as firstName, addresses.0.city or custom.fields.NAME; 'customers template' lists them.",
    })
  }
  if (section === 'constants' && isSecretPath(path)) {
    throw new InputError(`'${path}' cannot be the same for every row.`, {
      remedy: 'Use --password-mode generate, or a column of the file.',
    })
  }
  return target
}

/**
 * A document as cells by dotted path, such as `addresses.0.city`. What a table cannot show as such is JSON: values of
 * custom fields that are not plain text, or that read like JSON. Empty arrays and objects have no cell.
 */
export function flatten(document: object): Map<string, string> {
  const cells = new Map<string, string>()
  put(cells, '', document, {kind: 'members', members: draftShape})
  return cells
}

function put(cells: Map<string, string>, path: string, value: unknown, shape: Shape | undefined): void {
  if (value === undefined || value === null) return
  if (shape?.kind === 'leaf' && shape.leaf === 'json') {
    const isText = typeof value === 'string' && jsonOrText(value) === value
    cells.set(path, isText ? value : JSON.stringify(value))
  } else if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) put(cells, `${path}.${at}`, entry, shapeIn(shape, `${at}`))
  } else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      put(cells, path === '' ? name : `${path}.${name}`, member, shapeIn(shape, name))
    }
  } else {
    cells.set(path, String(value))
  }
}
