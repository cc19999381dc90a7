import {ApiError} from '../../domain/errors.js'
import {singleOf} from '../../query/page.js'
import {limits} from '../../work/limits.js'
import type {Query} from './operation.js'

export interface Parameter {
  readonly description: string
  /** JSON Schema of its value, or of all its values if it may be repeated. */
  readonly schema: object
  readonly required?: true
}

const text = {type: 'string'}
const texts = {type: 'array', items: text}
const whole = {type: 'integer', minimum: 0}
const flag = (byDefault: boolean) => ({type: 'boolean', default: byDefault})

const described: Readonly<Record<string, Parameter>> = {
  where: {description: 'A predicate; several are AND-ed.', schema: {...texts, maxItems: limits.where}},
  sort: {
    description: 'A field and `asc` or `desc`; several apply in order.',
    schema: {...texts, maxItems: limits.sortKeys},
  },
  expand: {
    description: 'A path to a reference whose resource is put beside it.',
    schema: {...texts, maxItems: limits.expandPaths},
  },
  limit: {description: 'Results at the most.', schema: {...whole, maximum: limits.pageSize, default: 20}},
  offset: {description: 'Results to pass over.', schema: {...whole, maximum: limits.pageOffset, default: 0}},
  withTotal: {description: 'Whether to count all matches.', schema: flag(true)},
  'var.*': {
    description: 'The value of a variable of the predicates: `var.name=…`.',
    schema: {type: 'object', additionalProperties: text},
  },
  version: {description: 'The version that is expected.', schema: whole, required: true},
  customerId: {description: 'Deprecated: only carts of this customer.', schema: text},
  cartId: {description: 'Deprecated: only methods that deliver to the shipping address of this cart.', schema: text},
  priceCurrency: {description: 'Each variant shows the `price` of this currency.', schema: text},
  priceCountry: {description: 'Beside `priceCurrency`: the price of this country, if there is one.', schema: text},
  priceCustomerGroup: {description: 'Beside `priceCurrency`: the price of the group with this id.', schema: text},
  priceCustomerGroupAssignments: {
    description: 'Beside `priceCurrency`: the lowest price of the groups with these ids.',
    schema: texts,
  },
  priceChannel: {description: 'Beside `priceCurrency`: the price of the channel with this id.', schema: text},
  priceRecurrencePolicy: {description: 'Beside `priceCurrency`: the price of the policy with this id.', schema: text},
  dataErasure: {description: 'Whether to erase related personal data as well.', schema: flag(false)},
}

export const parameters: ReadonlyMap<string, Parameter> = new Map(Object.entries(described))

export const invalidInput = (message: string): ApiError => ApiError.of('InvalidInput', {message})

/** The required `version` of a deletion. Throws InvalidInput. */
export function versionOf(query: Query): number {
  const text = singleOf(query, 'version')
  if (text === undefined || text === '') throw invalidInput('Missing required parameter: version.')
  const version = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(version)) return version
  throw invalidInput('Malformed parameter: version: The version parameter must be a whole number')
}

/** Throws ConcurrentModification if the resource is not at the version that the caller expects. */
export function checkVersion(resource: {readonly id: string; readonly version: number}, expected: number): void {
  if (resource.version === expected) return
  throw ApiError.of('ConcurrentModification', {
    resourceId: resource.id,
    expectedVersion: expected,
    currentVersion: resource.version,
  })
}

export function queryOf(search: string): Query {
  const query = new Map<string, string[]>()
  if (search === '') return query
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name)
    if (values) values.push(value)
    else query.set(name, [value])
  }
  return query
}
