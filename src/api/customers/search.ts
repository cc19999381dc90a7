import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {folded} from '../../domain/search/folded-text.js'
import {searchWords} from '../../domain/search/words.js'
import {limits} from '../../limits.js'
import {parsePage} from '../../query/page.js'
import {operation} from '../operation/operation.js'
import {singleOf} from '../operation/parameters.js'
import {visibleCustomers} from './access.js'
import {CustomerReply, pageOf} from './operations.js'

/** A search of our own, which the platform does not have: no resource of its begins with an underscore. */
export const searchCustomers = operation({
  id: 'searchCustomers',
  method: 'GET',
  path: '/{projectKey}/_frontdesk/customers',
  summary: 'find customers by any part of what they are known by',
  area: 'Customers',
  permission: {kind: 'bearer', anyOf: ['view_customers']},
  query: ['text', 'limit'],
  success: 200,
  reply: pageOf(CustomerReply),
  inStore: true,
  handle: async (context, {query}) => {
    const text = singleOf(query, 'text') ?? ''
    if (text.length > limits.searchCharacters) {
      throw ApiError.of('InvalidInput', {
        message: `Malformed parameter: text: The text parameter may have ${limits.searchCharacters} characters`,
      })
    }
    const words = searchWords(text)
    if (words.length === 0) {
      throw ApiError.of('InvalidInput', {message: 'Malformed parameter: text: The text has no letter and no digit'})
    }
    const {limit} = parsePage(query)
    const found = await context.platform.state.query<Customer>(context.project.key, 'customer', {
      words,
      limit: Math.max(limit, ranked),
      offset: 0,
      count: {cap: maxTotal},
      ...defined({where: visibleCustomers(context)}),
    })
    const results = bestFirst(found.results, text).slice(0, limit)
    return {status: 200, body: {limit, offset: 0, count: results.length, ...defined({total: found.total}), results}}
  },
})

const maxTotal = 10_000
/** So many matches are put in order, even for a shorter page. */
const ranked = 200

/** Whoever has just this email, key or number, then those of whose names each word begins one, then by name. */
function bestFirst(customers: readonly Customer[], text: string): readonly Customer[] {
  const whole = folded(text)
  const words = text
    .split(/[\s,]+/)
    .map(folded)
    .filter(Boolean)
  const rankOf = (customer: Customer): number => {
    const {id, email, key, customerNumber, externalId, firstName, middleName, lastName, companyName} = customer
    if (canonicalEmail(email) === canonicalEmail(text)) return 0
    if ([id, key, customerNumber, externalId].some((value) => value !== undefined && folded(value) === whole)) return 0
    const names = [firstName, middleName, lastName, companyName].flatMap((name) => name?.split(/\s+/) ?? []).map(folded)
    return words.every((word) => names.some((name) => name.startsWith(word))) ? 1 : 2
  }
  const nameOf = ({lastName = '', firstName = '', email}: Customer): string => folded(`${lastName}${firstName}${email}`)
  return customers
    .map((customer) => ({customer, rank: rankOf(customer), name: nameOf(customer)}))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({customer}) => customer)
}
