import {documentOf} from '../../api/collections/reading.js'
import {ownCollection} from '../../api/operation/collection-table.js'
import {commit, created, putOf, type Resource, revised} from '../../api/operation/commit.js'
import type {Context, Runtime} from '../../api/operation/context.js'
import {retrying} from '../../api/operation/retrying.js'
import {defined} from '../../domain/equal.js'
import {isoTime} from '../../domain/iso-time.js'
import {checkQuotable, offerOf, type QuotableCart} from '../../domain/quotes/offer.js'
import type {Quote} from '../../domain/quotes/quote.js'
import type {Change, Document} from '../../store/store.js'
import type {QuoteRequest} from './admin-requests.js'
import {localContext} from './local-context.js'
import {namedCustomer} from './named-customer.js'

const validDays = 30
const dayMs = 86_400_000

/** A new document of a kind and, if the platform has one, the message about it. */
function creation(context: Context, kind: string, draft: Document, message?: {type: string; member: string}): Change[] {
  const next = draft as Resource
  const {resource, messages} = message ? created(context, kind, next, message) : revised(context, kind, next, [])
  return [putOf(kind, 0, resource), ...messages]
}

/**
 * Acts as the seller of a local project: creates a quote request, a staged quote and a pending quote, valid for thirty
 * days, from a customer's cart, which is not changed. Throws ResourceNotFound, InvalidOperation for a cart that cannot
 * become a quote, DuplicateField for a key in use.
 */
export const seedQuote = (runtime: Runtime, request: QuoteRequest): Promise<Quote> =>
  retrying(() => offered(runtime, request))

async function offered(runtime: Runtime, {projectKey, customer, cart, key}: QuoteRequest): Promise<Quote> {
  const context = await localContext(runtime, projectKey)
  const [buyer, basket] = await Promise.all([
    namedCustomer(context, customer),
    documentOf<QuotableCart>(context, ownCollection('cart'), {key: cart}),
  ])
  checkQuotable(basket, buyer)
  const {uuid} = runtime.secrets
  const ids = {quoteRequest: uuid(), quotationCart: uuid(), stagedQuote: uuid(), quote: uuid()}
  const validTo = isoTime(context.now + validDays * dayMs)
  const offer = offerOf(basket, buyer, ids, defined({validTo, key}))
  const subject = defined({id: ids.quote, key})
  const quote = creation(context, 'quote', offer.quote, {type: 'QuoteCreated', member: 'quote'})
  await commit(context, subject, [
    {kind: 'customer', require: buyer.id, version: buyer.version},
    {kind: 'cart', require: basket.id, version: basket.version},
    ...creation(context, 'quote-request', offer.quoteRequest, {type: 'QuoteRequestCreated', member: 'quoteRequest'}),
    ...creation(context, 'cart', offer.quotationCart),
    ...creation(context, 'staged-quote', offer.stagedQuote, {type: 'StagedQuoteCreated', member: 'stagedQuote'}),
    ...quote,
  ])
  const [put] = quote
  return (put as unknown as {readonly doc: Quote}).doc
}
