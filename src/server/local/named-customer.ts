import {customerByEmail} from '../../api/customers/access.js'
import type {Context} from '../../api/operation/context.js'
import {documentBy, isVisible} from '../../api/operation/read.js'
import type {Customer} from '../../domain/customers/customer.js'
import {byNumber, canonicalEmail} from '../../domain/customers/identity.js'
import {ApiError, notFound} from '../../domain/errors.js'
import type {Predicate} from '../../query/ast.js'
import {is, isFacet} from '../../query/predicates.js'
import type {CustomerName} from './admin-requests.js'

/** `key=ada`, `email=…`, `number=…`, `externalId=…`, `id=…`; without a name an address, an id, a key or a number. */
export function customerNameOf(reference: string): CustomerName {
  const [, by, value = ''] = /^(id|key|email|number|externalId)=(.+)$/s.exec(reference) ?? []
  if (by !== undefined) return {by: by as CustomerName['by'], value}
  return {by: reference.includes('@') ? 'email' : 'word', value: reference}
}

/** The customer of a name, visible from the context's store. Throws ResourceNotFound, or InvalidInput for several. */
export async function namedCustomer(context: Context, name: CustomerName): Promise<Customer> {
  const found = await lookedUp(context, name)
  if (found && isVisible(found, context.storeKey)) return found
  throw notFound(`The Customer with ${name.by === 'id' ? 'ID' : name.by} '${name.value}' was not found.`)
}

async function lookedUp(context: Context, {by, value}: CustomerName): Promise<Customer | undefined> {
  const {runtime, project, storeKey} = context
  switch (by) {
    case 'id':
      return documentBy<Customer>(context, 'customer', {id: value})
    case 'key':
      return documentBy<Customer>(context, 'customer', {key: value})
    case 'number':
      return runtime.state.find<Customer>(project.key, 'customer', byNumber(value))
    case 'externalId':
      return onlyOne(context, is('externalId', value), `the externalId '${value}'`)
    case 'word':
      return (
        (await lookedUp(context, {by: 'id', value})) ??
        (await lookedUp(context, {by: 'key', value})) ??
        (await lookedUp(context, {by: 'number', value}))
      )
    case 'email':
      if (storeKey !== undefined) return customerByEmail(context, value)
      return onlyOne(context, isFacet('lowercaseEmail', canonicalEmail(value)), `the email '${value}'`)
  }
}

/** The customer of an email or external id, if there is exactly one: customers of different stores may share it. */
async function onlyOne({runtime, project}: Context, where: Predicate, what: string): Promise<Customer | undefined> {
  const {results} = await runtime.state.query<Customer>(project.key, 'customer', {where, limit: 2, offset: 0})
  const [only, another] = results
  if (!another) return only
  throw ApiError.of('InvalidInput', {message: `Several customers have ${what}; name one by id or key.`})
}
