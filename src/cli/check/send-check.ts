import {type Client, type Incoming, type QueryValue, Unreachable} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {defined, isObject} from '../../domain/equal.js'
import {ApiError, errorBody} from '../../domain/errors.js'
import {pageIn, type RelatedPage} from '../customers/related.js'
import {criterionOf, parseRef, refText} from '../input/refs.js'
import {valueAt} from '../output/fields.js'
import {CheckFailed, isAnswerStatus} from './runner.js'
import type {Check} from './suite.js'

/** Documents to assert over, and how many there are of a query. */
export interface Found {
  readonly documents: readonly unknown[]
  readonly count?: number
}

type Parameters = Readonly<Record<string, QueryValue>>
type Get = NonNullable<Check['get']>
type Resource = Get['resource']

function pathOf({projectKey, storeKey}: Client, resource: Resource): string {
  // No other has a twin below a store.
  const store =
    storeKey !== undefined && resource === 'customers' ? `/in-store/key=${encodeURIComponent(storeKey)}` : ''
  return `/${projectKey}${store}/${resource}`
}

function refused({status, body}: Incoming, expected?: number): CheckFailed {
  const text = valueAt(body, 'message')
  const other = expected === undefined ? '' : `, not ${expected}`
  return new CheckFailed(`The answer is ${status}${other}${typeof text === 'string' ? `: ${text}` : '.'}`)
}

/** An answer of the API. Throws what says that none came: 5xx or a throttled project after all tries, or no JSON. */
async function asked(client: Client, path: string, query: Parameters = {}, expected?: number): Promise<Incoming> {
  const answer = await client.raw('GET', path, {query}).catch(asAnswer)
  const {status, foreign, body} = answer
  if (status === expected && status >= 300) return answer
  const isOurs = foreign === undefined && (isObject(body) || (status >= 300 && typeof body !== 'string'))
  if (isOurs && isAnswerStatus(status)) return answer
  if (isOurs) throw refusalOf(answer)
  const what = status < 300 ? `The answer is no document. ${foreign ?? ''}`.trim() : refusalOf(answer).message
  throw noAnswer(answer, what)
}

const noAnswer = ({headers}: Incoming, what: string): Unreachable =>
  new Unreachable(what, true, headers['x-correlation-id'] ?? '', {trouble: 'foreign'})

const parametersOf = ({
  where,
  var: variables = {},
  sort,
  expand,
}: Partial<NonNullable<Check['query']>>): Parameters => ({
  ...defined({where, sort, expand}),
  ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`var.${name}`, value])),
})

async function page(client: Client, resource: Resource, query: Parameters): Promise<RelatedPage> {
  const answer = await asked(client, pathOf(client, resource), query)
  if (answer.status !== 200) throw refused(answer)
  const found = pageIn(answer.body)
  if (!found) throw noAnswer(answer, 'The answer is no page of results.')
  return found
}

async function one(client: Client, {resource, ref: text, expand}: Get): Promise<readonly unknown[]> {
  const ref = parseRef(text)
  const query = defined({expand})
  if (ref.by === 'id' || ref.by === 'key' || ref.by === 'word') {
    const name = `${ref.by === 'key' ? 'key=' : ''}${encodeURIComponent(ref.value)}`
    const answer = await asked(client, `${pathOf(client, resource)}/${name}`, query)
    if (answer.status === 404) return []
    if (answer.status === 200) return [answer.body]
    throw refused(answer)
  }
  const {results} = await page(client, resource, {...criterionOf(ref), ...query, limit: 2, withTotal: false})
  if (results.length > 1) throw new CheckFailed(`Several have ${refText(ref)}.`)
  return results
}

async function get(client: Client, wanted: Get): Promise<Found> {
  const documents = await one(client, wanted)
  if (documents.length > 0) return {documents}
  throw new CheckFailed(`There is no such resource: ${refText(parseRef(wanted.ref))}.`)
}

async function query(client: Client, wanted: NonNullable<Check['query']>): Promise<Found> {
  const parameters = {...parametersOf(wanted), ...defined({limit: wanted.limit}), withTotal: true}
  const {results, total} = await page(client, wanted.resource, parameters)
  return {documents: results, count: total ?? results.length}
}

async function exists(client: Client, wanted: NonNullable<Check['exists']>): Promise<Found> {
  const {resource, ref} = wanted
  const found =
    ref === undefined
      ? (await page(client, resource, {...parametersOf(wanted), limit: 1, withTotal: false})).results
      : await one(client, {resource, ref})
  return {documents: [{exists: found.length > 0}]}
}

/** In this process a path that leads nowhere is an error; over HTTP it is an answer like others. */
function asAnswer(error: unknown): Incoming {
  if (!(error instanceof ApiError) || error.code !== 'ResourceNotFound') throw error
  return {status: error.statusCode, headers: {}, body: errorBody(error, false)}
}

async function raw(client: Client, path: string, expected: number | undefined): Promise<Found> {
  const below = path.replace(/^\//, '')
  const slash = below === '' || below.startsWith('?') ? '' : '/'
  const answer = await asked(client, `/${client.projectKey}${slash}${below}`, {}, expected)
  const {status, body} = answer
  if (expected === undefined ? status >= 200 && status < 300 : status === expected) return {documents: [body]}
  throw refused(answer, expected)
}

/** Sends the one request of a check. Throws CheckFailed for an answer that holds no documents. */
export async function sendCheck(client: Client, check: Check): Promise<Found> {
  if (check.query) return query(client, check.query)
  if (check.exists) return exists(client, check.exists)
  if (check.raw) return raw(client, check.raw.path, check.expectStatus)
  if (check.get) return get(client, check.get)
  throw new Error(`the check ${check.name} has no request`)
}
