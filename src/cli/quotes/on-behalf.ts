import type {Client} from '../../client/client.js'
import type {UpdateAction} from '../../domain/action.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {Failure} from '../process/failure.js'

/**
 * A client whose calls about My Quotes go to the quotes of the project, of this customer only: an API client may read
 * them with view_quotes, and answer them with manage_quotes where the target has that. Source: API › Quotes.
 */
export function onBehalf(client: Client, customerId: string): Client {
  const call: Client['call'] = async (operation, params, options = {}) => {
    const {query = {}, body, ...rest} = options
    const isOfOne = operation.path.includes('{id}') || operation.path.includes('{key}')
    const {inStore: _, ...declared} = operation
    const ofProject = {...declared, path: operation.path.replace('/me/', '/') as typeof operation.path}
    const owned = {
      ...query,
      where: [...[query['where'] ?? []].flat(), 'customer(id = :owner)'],
      'var.owner': customerId,
    }
    const further = {query: isOfOne ? query : owned, ...defined({body: body && sellersBody(body as Update)})}
    const reply = await client.call(ofProject, params, {...rest, ...further}).catch((error: unknown) => {
      throw operation.method === 'POST' ? refusal(error) : error
    })
    const holder = isOfOne && operation.method === 'GET' ? (reply as Quote).customer?.id : customerId
    if (holder === customerId) return reply
    const [name = ''] = Object.values(params as Readonly<Record<string, string>>)
    throw ApiError.of('ResourceNotFound', {message: `The customer has no quote '${name}'.`})
  }
  return {...client, call}
}

interface Update {
  readonly version: number
  readonly actions: readonly UpdateAction[]
}

/** The seller's name for the customer's action. */
const sellersBody = ({version, actions}: Update): Update => ({
  version,
  actions: actions.map((action) =>
    action.action === 'changeMyQuoteState' ? {...action, action: 'changeQuoteState'} : action,
  ),
})

/** How targets say that they know no seller's answers. */
const unserved = [404, 405, 501]

function refusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const isUnserved = unserved.includes(error.statusCode)
  if (!isUnserved && error.statusCode !== 403) return error
  const {statusCode} = error
  return isUnserved
    ? new Failure('denied', 'QuotesNotAnswered', 'On this target only the customer can answer a quote.', {
        hints: ['Let the customer sign in at the shop and answer it there.'],
        statusCode,
        cause: error,
      })
    : new Failure('denied', error.code, 'The API client may not answer quotes: it lacks the scope manage_quotes.', {
        hints: ['Let the customer answer it at the shop, or ask an administrator for the scope.'],
        details: error.errors,
        statusCode,
        cause: error,
      })
}
