import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {isAbsent, kindsOfCustomers, pageIn} from '../../src/cli/customers/related.js'
import {sessionsOf} from '../../src/cli/customers/sessions.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import type {AuditLine} from '../../src/cli/safety/audit.js'
import {readAudit} from '../../src/cli/safety/audit.js'
import {auditFolder} from '../../src/cli/target/settings.js'
import type {Client, QueryValue} from '../../src/client/client.js'
import {refusalOf} from '../../src/client/transports/refusal.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {defined, omit} from '../../src/domain/equal.js'

export default class CustomersDossier extends BaseCommand<typeof CustomersDossier> {
  static override operations: Calls = [...customerReads, 'queryMessages', 'getCustomerSessions']
  static override summary = 'Collect all data of a customer in one document'
  static override description =
    'For requests of access (GDPR Art. 15): the customer, messages, quotes, carts, business units and whatever else of theirs the target has, sessions, open tokens, and the audit log of this machine. --out writes it to a file that only you can read. Ends with code 10 and lists the parts that the client may not read.'
  static override examples = ['<%= config.bin %> customers dossier key=ada --out ada.json']
  static override args = {ref: refArg('a customer')}

  async run(): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(this.args.ref), {asking: this.asking})
    const {lines} = readAudit(auditFolder(this.folders))
    const dossier = await dossierOf(client, customer, lines)
    await this.output.document(dossier, {columns: []}, 'json')
    const held = Object.entries(dossier).flatMap(([part, list]) =>
      Array.isArray(list) && !part.startsWith('not') ? [`${part} ${list.length}`] : [],
    )
    this.say(`In it: the customer, ${held.join(', ')}.`)
    if (dossier.notServed.length > 0)
      this.say(`Not looked at, since the target does not serve it: ${dossier.notServed.join(', ')}.`)
    if (dossier.notReadable.length === 0) return
    this.say(`Not in it, since the client may not read it: ${dossier.notReadable.join(', ')}.`)
    this.endWith('partial')
  }
}

const pageSize = 500

/** What refers to a customer. */
const parts = [
  {name: 'messages', segment: 'messages', where: 'resource(id = :id)'},
  {name: 'messages', segment: 'messages', where: 'customerId = :id'},
  ...kindsOfCustomers,
]

/**
 * Everything about a customer that the API shows and this machine has logged, for a request of access; `notReadable` are
 * the parts that the client may not read, `notServed` those that the target does not have.
 */
async function dossierOf(client: Client, customer: Customer, audit: readonly AuditLine[]) {
  const {id, key} = customer
  const found = new Map<string, unknown[]>()
  const notReadable = new Set<string>()
  const notServed: string[] = []
  for (const {name, segment, where} of parts) {
    const documents = await allOf(client, segment, {where, 'var.id': id})
    if (documents === 'not readable') notReadable.add(name)
    else if (documents === 'not served') notServed.push(name)
    else found.set(name, [...(found.get(name) ?? []), ...documents.map(withoutToken)])
  }
  const sessions = await sessionsOf(client, id)
  if (sessions === undefined) notReadable.add('sessions')
  const names = new Set([id, ...(key === undefined ? [] : [`key=${key}`])])
  return {
    customer,
    ...Object.fromEntries(found),
    ...defined({sessions}),
    audit: audit.filter(({target, project}) => names.has(target ?? '') && project === client.projectKey),
    notReadable: [...notReadable],
    notServed,
  }
}

/** The value of a one-time token opens the account to whoever gets the file. */
const withoutToken = (document: object): object =>
  'type' in document && /TokenCreated$/.test(String(document.type))
    ? omit(document as {value?: unknown}, ['value'])
    : document

const unreadable = [400, 401, 403]

const idOf = (document: object | undefined): string | undefined =>
  document && 'id' in document && typeof document.id === 'string' ? document.id : undefined

/** All documents of a query, page by page. */
async function allOf(
  client: Client,
  path: string,
  query: {readonly where: string; readonly 'var.id': string},
): Promise<readonly object[] | 'not readable' | 'not served'> {
  const all: object[] = []
  const base: Record<string, QueryValue> = {...query, sort: ['id asc'], limit: pageSize, withTotal: false}
  for (let after: string | undefined; ; ) {
    const further = after === undefined ? {} : {where: [query.where, 'id > :after'], 'var.after': after}
    const answer = await client.raw('GET', `/${client.projectKey}/${path}`, {query: {...base, ...further}})
    if (isAbsent(answer.status)) return 'not served'
    if (unreadable.includes(answer.status)) return 'not readable'
    if (answer.status !== 200) throw refusalOf(answer)
    const page = pageIn(answer.body)
    if (!page) return 'not readable'
    all.push(...page.results)
    if (page.results.length < pageSize) return all
    const last = idOf(page.results.at(-1))
    if (last === undefined || last === after) return 'not readable'
    after = last
  }
}
