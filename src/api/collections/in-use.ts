import type {Resource} from '../../domain/collections/writable.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Shape} from '../../query/ast.js'
import {parseWhere} from '../../query/where.js'
import type {Context} from '../operation/context.js'

const custom = 'custom(type(id = :id))'
const inLines = `lineItems(${custom}) or customLineItems(${custom})`

/** Where resources of other kinds refer to those that can be deleted: by kind, as a predicate on `:id` and `:key`. */
const referrers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'customer-group': {
    customer: 'customerGroup(id = :id) or customerGroupAssignments(customerGroup(id = :id))',
    'business-unit': 'customerGroupAssignments(customerGroup(id = :id))',
    cart: 'customerGroup(id = :id)',
    quote: 'customerGroup(id = :id)',
    'quote-request': 'customerGroup(id = :id)',
  },
  store: {
    customer: 'stores(key = :key)',
    'business-unit': 'stores(key = :key)',
    cart: 'store(key = :key)',
    quote: 'store(key = :key)',
    'quote-request': 'store(key = :key)',
  },
  type: {
    customer: `${custom} or addresses(${custom})`,
    'customer-group': custom,
    store: custom,
    'business-unit': `${custom} or addresses(${custom})`,
    cart: `${custom} or ${inLines} or shippingAddress(${custom}) or billingAddress(${custom})`,
    quote: `${custom} or ${inLines}`,
    'quote-request': `${custom} or ${inLines}`,
    'staged-quote': custom,
  },
}

const anyShape: Shape = {open: true}

/** Throws ReferenceExists if a resource of any other kind refers to this one. */
export async function checkUnreferenced({platform, project}: Context, typeId: string, resource: Resource) {
  for (const [kind, predicate] of Object.entries(referrers[typeId] ?? {})) {
    const variables = new Map([
      ['id', [resource.id]],
      ['key', [resource.key ?? '']],
    ])
    const where = parseWhere([predicate], anyShape, variables)
    const {results} = await platform.state.query(project.key, kind, {...defined({where}), limit: 1, offset: 0})
    if (results.length > 0) throw ApiError.of('ReferenceExists', {typeId, referencedBy: kind})
  }
}

/** The kinds whose resources may have custom fields of a type. */
export const customized: readonly string[] = Object.keys(referrers['type'] ?? {})
