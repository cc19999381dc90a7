import type {Client, Incoming, QueryValue} from '../../client/client.js'
import {ApiError, errorBody} from '../../domain/errors.js'
import {parseRef, type Ref, refText} from '../input/refs.js'
import type {Check} from './suite.js'

/** What a check was answered: documents to assert over, and how many there are; or why there are none. */
export type Answer = {readonly documents: readonly unknown[]; readonly count?: number} | {readonly refused: string}

type Parameters = Record<string, QueryValue>
type Resource = NonNullable<Check['get']>['resource']

/** Resources that have a twin below a store. */
const inStore: ReadonlySet<Resource> = new Set(['customers'])

function placeOf({projectKey, storeKey}: Client, resource: Resource): string {
  const store = storeKey !== undefined && inStore.has(resource) ? `/in-store/key=${encodeURIComponent(storeKey)}` : ''
  return `/${projectKey}${store}/${resource}`
}

const said = (body: unknown): string => {
  const text = (body as {message?: unknown} | undefined)?.message
  return typeof text === 'string' ? `: ${text}` : '.'
}
const refusal = ({status, body}: Incoming): Answer => ({refused: `The answer is ${status}${said(body)}`})

const parametersOf = (given: {
  readonly where?: string[]
  readonly var?: Record<string, string>
  readonly sort?: string[]
  readonly expand?: string[]
}): Parameters => ({
  ...(given.where === undefined ? {} : {where: given.where}),
  ...Object.fromEntries(Object.entries(given.var ?? {}).map(([name, value]) => [`var.${name}`, value])),
  ...(given.sort === undefined ? {} : {sort: given.sort}),
  ...(given.expand === undefined ? {} : {expand: given.expand}),
})

interface Page {
  readonly results: readonly unknown[]
  readonly count: number
  readonly total?: number
}

async function page(client: Client, resource: Resource, query: Parameters): Promise<Page | {readonly refused: string}> {
  const answer = await client.raw('GET', placeOf(client, resource), {query})
  if (answer.status !== 200) return refusal(answer) as {readonly refused: string}
  const {results} = (answer.body ?? {}) as Partial<Page>
  return Array.isArray(results) ? (answer.body as Page) : {refused: 'The answer is no page of results.'}
}

/** The predicate variable of a reference that is no path: its value never becomes part of the predicate. */
const criterion = ({by, value}: Ref): Parameters =>
  by === 'email'
    ? {where: 'lowercaseEmail = :ref', 'var.ref': value.trim().toLowerCase()}
    : {where: 'customerNumber = :ref', 'var.ref': value}

/** One resource: its document, nothing if there is none, or why it could not be read. */
async function one(
  client: Client,
  {resource, ref: text, expand}: {readonly resource: Resource; readonly ref: string; readonly expand?: string[]},
): Promise<Answer> {
  const ref = parseRef(text)
  const shown = expand === undefined ? {} : {expand}
  if (ref.by === 'id' || ref.by === 'key') {
    const name = ref.by === 'key' ? `key=${encodeURIComponent(ref.value)}` : encodeURIComponent(ref.value)
    const answer = await client.raw('GET', `${placeOf(client, resource)}/${name}`, {query: shown})
    if (answer.status === 404) return {documents: []}
    return answer.status === 200 ? {documents: [answer.body]} : refusal(answer)
  }
  const found = await page(client, resource, {...criterion(ref), ...shown, limit: 2, withTotal: false})
  if ('refused' in found) return found
  return found.results.length > 1 ? {refused: `Several have ${refText(ref)}.`} : {documents: found.results}
}

async function query(client: Client, asked: NonNullable<Check['query']>): Promise<Answer> {
  const limit = asked.limit === undefined ? {} : {limit: asked.limit}
  const found = await page(client, asked.resource, {...parametersOf(asked), ...limit, withTotal: true})
  return 'refused' in found ? found : {documents: found.results, count: found.total ?? found.count}
}

async function exists(client: Client, asked: NonNullable<Check['exists']>): Promise<Answer> {
  const {resource, ref} = asked
  if (ref !== undefined) {
    const answer = await one(client, {resource, ref})
    return 'refused' in answer ? answer : {documents: [{exists: answer.documents.length > 0}]}
  }
  const found = await page(client, resource, {...parametersOf(asked), limit: 1, withTotal: false})
  return 'refused' in found ? found : {documents: [{exists: found.results.length > 0}]}
}

/** In this process a path that leads nowhere is an error; over HTTP it is an answer like others. */
function asAnswer(error: unknown): Incoming {
  if (!(error instanceof ApiError) || error.code !== 'ResourceNotFound') throw error
  return {status: error.statusCode, headers: {}, body: errorBody(error, false)}
}

async function raw(client: Client, path: string, expected: number | undefined): Promise<Answer> {
  const below = path.replace(/^\//, '')
  const slash = below === '' || below.startsWith('?') ? '' : '/'
  const answer = await client.raw('GET', `/${client.projectKey}${slash}${below}`).catch(asAnswer)
  const {status, body} = answer
  if (expected === undefined ? status >= 200 && status < 300 : status === expected) return {documents: [body]}
  return expected === undefined ? refusal(answer) : {refused: `The answer is ${status}, not ${expected}${said(body)}`}
}

/** Sends the one request of a check. Throws only where no answer came. */
export async function ask(client: Client, check: Check): Promise<Answer> {
  if (check.query) return query(client, check.query)
  if (check.exists) return exists(client, check.exists)
  if (check.raw) return raw(client, check.raw.path, check.expectStatus)
  if (!check.get) throw new Error(`the check ${check.name} asks nothing`)
  const answer = await one(client, check.get)
  if ('refused' in answer || answer.documents.length > 0) return answer
  return {refused: `There is no such resource: ${refText(parseRef(check.get.ref))}.`}
}
