import type {Client, QueryValue} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import type {Customer} from '../../domain/customers/customer.js'
import {sessionsOf} from '../customers/sessions.js'
import type {AuditLine} from '../safety/audit.js'

/** Everything about a customer that the API shows and this machine has logged, for a request of access. */

const pageSize = 500

/** What refers to a customer, by its path and the predicate that finds it. */
const parts = [
  ['messages', 'messages', 'resource(id = :id)'],
  ['messages', 'messages', 'customerId = :id'],
  ['quotes', 'quotes', 'customer(id = :id)'],
  ['quoteRequests', 'quote-requests', 'customer(id = :id)'],
  ['carts', 'carts', 'customerId = :id'],
] as const

type Part = (typeof parts)[number][0]

export interface Dossier extends Readonly<Partial<Record<Part, readonly unknown[]>>> {
  readonly customer: Customer
  readonly sessions?: unknown
  /** Lines of the audit log of this machine. */
  readonly audit: readonly AuditLine[]
  /** Parts that the client may not read, or the target does not have. */
  readonly notReadable: readonly string[]
}

export async function dossierOf(client: Client, customer: Customer, audit: readonly AuditLine[]): Promise<Dossier> {
  const {id, key} = customer
  const found = new Map<Part, unknown[]>()
  const notReadable = new Set<string>()
  for (const [part, path, where] of parts) {
    const documents = await allOf(client, path, {where, 'var.id': id})
    if (documents === undefined) notReadable.add(part)
    else found.set(part, [...(found.get(part) ?? []), ...documents])
  }
  const sessions = await sessionsOf(client, id)
  if (sessions === undefined) notReadable.add('sessions')
  const names = new Set([id, ...(key === undefined ? [] : [`key=${key}`])])
  return {
    customer,
    ...Object.fromEntries(found),
    ...(sessions === undefined ? {} : {sessions}),
    audit: audit.filter(({target, project}) => names.has(target ?? '') && project === client.projectKey),
    notReadable: [...notReadable],
  }
}

const unreadable = [400, 401, 403, 404, 405, 501]

/** All documents of a query, page by page; undefined where the client may not ask. */
async function allOf(
  client: Client,
  path: string,
  query: {readonly where: string; readonly 'var.id': string},
): Promise<readonly unknown[] | undefined> {
  const all: unknown[] = []
  const base: Record<string, QueryValue> = {...query, sort: ['id asc'], limit: pageSize, withTotal: false}
  for (let after: string | undefined; ; ) {
    const further = after === undefined ? {} : {where: [query.where, 'id > :after'], 'var.after': after}
    const answer = await client.raw('GET', `/${client.projectKey}/${path}`, {query: {...base, ...further}})
    if (unreadable.includes(answer.status)) return undefined
    if (answer.status !== 200) throw refusalOf(answer)
    const {results} = answer.body as {readonly results: readonly {readonly id: string}[]}
    all.push(...results)
    after = results.at(-1)?.id
    if (results.length < pageSize) return all
  }
}
