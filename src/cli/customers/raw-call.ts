import {type Client, type Incoming, Unreachable} from '../../client/client.js'
import {isSince, type SendTime, sendTimeOf} from '../../client/creation.js'
import type {Reading, Settlement} from '../../client/settle.js'
import {refusalOf} from '../../client/transports/refusal.js'
import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {isObject} from '../../domain/equal.js'
import {holdsSecret} from '../../domain/secret-members.js'
import type {Asking} from '../input/ask.js'
import {unlessGone} from '../input/is-found.js'
import {Failure, usage} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import {isBy} from '../safety/settlements.js'
import {confirmDeletion} from './deletion.js'
import {preview} from './preview.js'
import {documentAt} from './related.js'
import {creation} from './settlements.js'

const methods = ['GET', 'HEAD', 'POST', 'DELETE']

export interface RawRequest {
  readonly method: string
  /** Below the project, without a leading slash; empty for the project itself. */
  readonly path: string
  readonly writes: boolean
}

/** The request of `api`. Throws usage unless method and path stay within the project. */
export function checkedRequest(method: string, path: string): RawRequest {
  const upper = method.toUpperCase()
  if (!methods.includes(upper)) throw usage(`'${method}' is not a method.`, `Use ${methods.join(', ')}.`)
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('//')) {
    throw usage('The path is a URL.', 'Give a path below the project; --api-url chooses the address.')
  }
  const relative = path.replace(/^\//, '')
  const decoded = safeDecode(relative.split('?')[0] ?? '')
  if (decoded.split('/').includes('..') || /[\u0000-\u001f\\]/.test(decoded)) {
    throw usage('The path leaves the project.', 'Give a path below the project.')
  }
  if (holdsSecret(relative)) {
    throw new Failure('usage', 'SecretInArguments', 'The path holds a token: a secret is never an argument.', {
      hints: [
        'Other processes and the shell history can read it; invalidate it if it was real.',
        'Use `frontdesk customers password-token get` or `email-token get`.',
      ],
    })
  }
  return {method: upper, path: relative, writes: upper !== 'GET' && upper !== 'HEAD'}
}

/**
 * Whether a POST only asks: a search, or a GraphQL document without a mutation. Its answer is all there is to settle.
 */
export function onlyAsks({method, path}: RawRequest, body: unknown): boolean {
  const [target = ''] = path.split('?')
  if (method !== 'POST') return false
  if (target !== 'graphql') return /(^|\/)search$/.test(target)
  const document = isObject(body) && typeof body['query'] === 'string' ? body['query'] : 'mutation'
  return !/\bmutation\b/.test(document.replace(/"(\\.|[^"\\])*"|#.*$/gm, ''))
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw usage('The path is not well encoded.', 'Encode % as %25.')
  }
}

/** Sends a request. Throws what the API refuses; for a write also Unreachable for an answer that is not the API's. */
export async function sent(client: Client, {method, path, writes}: RawRequest, body: unknown): Promise<Incoming> {
  const whole = path === '' || path.startsWith('?') ? path : `/${path}`
  const reply = await client.raw(method, `/${client.projectKey}${whole}`, body === undefined ? {} : {body})
  if (reply.status >= 300) throw refusalOf(reply)
  if (writes && reply.status !== 204 && !isOfApi(reply.body)) {
    const foreign = reply.foreign === undefined ? '' : ` ${reply.foreign}`
    const id = reply.headers['x-correlation-id'] ?? ''
    throw new Unreachable(`The answer is not from the API.${foreign}`, true, id, {trouble: 'foreign'})
  }
  return reply
}

/** Whether a body looks like the API's answer to a write: a resource, a sign-in result, or GraphQL. */
const isOfApi = (body: unknown): boolean =>
  isObject(body) &&
  (typeof body['id'] === 'string' ||
    typeof body['key'] === 'string' ||
    ['customer', 'data', 'errors'].some((member) => typeof body[member] === 'object'))

interface RawWrite {
  readonly client: Client
  readonly request: RawRequest
  readonly body: unknown
  readonly clock: () => number
  readonly look: string
}

/** `in-store/key=…/customers/key=ada` as the collection and what names a resource in it. */
const parts = /^(?:in-store\/key=[^/]+\/)?([a-z-]+)(?:\/([^/]+))?$/

/**
 * The settlement of a raw write: of a sign-up by its draft, of a deletion by whether the resource is gone, of update
 * actions by the version and the document. The outcome of any other POST cannot be read.
 */
export function rawSettlement(write: RawWrite): Settlement<Incoming> {
  const {request, body, look} = write
  const path = request.path.split('?')[0] ?? ''
  const [, collection, name] = parts.exec(path) ?? []
  const isUpdate = isObject(body) && typeof body['version'] === 'number' && Array.isArray(body['actions'])
  const isDraft = collection === 'customers' && name === undefined && isObject(body)
  if (request.method === 'POST' && isDraft) return asAnswer(creation({...write, draft: body}))
  const sending = sendTimeOf(write.client, write.clock)
  const told = isUpdate ? () => updated(write, path, sending) : untold
  const read = request.method === 'DELETE' ? () => deleted(write, path) : told
  return {fenced: request.method === 'DELETE' || isUpdate, look, read}
}

const answer = (body: unknown): Incoming => ({status: 200, headers: {}, body})

const untold = async (): Promise<Reading<Incoming>> => ({
  open: 'No reading tells whether such a request had its effect.',
})

const asAnswer = <T>({read, ...settlement}: Settlement<T>): Settlement<Incoming> => ({
  ...settlement,
  read: async () => {
    const reading = await read()
    return 'happened' in reading ? {happened: answer(reading.happened)} : reading
  },
})

async function deleted({client}: RawWrite, path: string): Promise<Reading<Incoming>> {
  const now = await unlessGone(documentAt(client, path))
  if (!now) return {happened: answer({deleted: path})}
  return {unchanged: `It is still there, at version ${String(now['version'])}.`}
}

async function updated(write: RawWrite, path: string, sending: SendTime): Promise<Reading<Incoming>> {
  const {client, body, clock} = write
  const {version, actions} = body as {readonly version: number; readonly actions: readonly UpdateAction[]}
  const now = await unlessGone(documentAt(client, path))
  if (!now) return {open: 'It is not there.'}
  if (now['version'] === version) return {unchanged: `It is still at version ${version}.`}
  const customer = now as unknown as Customer
  const isRecent = isSince(customer.lastModifiedAt, sending, client.serverTime() - clock())
  const isOurs = path.includes('customers/') && isBy(client, customer.lastModifiedBy) && isRecent
  // Such actions change nothing any more: the customer already has their result.
  const isDone = async () => (await preview(client, customer, actions, clock())).next === customer
  if (isOurs && (await isDone())) return {happened: answer(now)}
  return {open: `It was at version ${version}, and is at version ${String(now['version'])} now.`}
}

/** Asks before a deletion, as `customers delete` does: what it names, and that it cannot be undone. */
export async function confirmRawDeletion(client: Client, path: string, asking: Asking): Promise<void> {
  const [target = '', query = ''] = path.split(/\?(.*)/s)
  const [, collection, name] = parts.exec(target) ?? []
  const isNamed = collection === 'customers' && name !== undefined && !asking.yes
  const customer = isNamed ? await unlessGone(documentAt(client, target)) : undefined
  if (!customer) return asking.ask.confirm(`Delete ${oneLine(path)} (no undo)?`)
  const erase = new URLSearchParams(query).get('dataErasure') === 'true'
  await confirmDeletion(client, [customer as unknown as Customer], {...asking, erase})
}
