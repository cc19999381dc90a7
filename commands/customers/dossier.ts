import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {allRelated, kindsOfCustomers, relatedPage, resultsOf, type Unknown} from '../../src/cli/customers/related.js'
import {sessionsOf} from '../../src/cli/customers/sessions.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {cellText, listAt, textAt, valueAt} from '../../src/cli/output/fields.js'
import type {Dossier} from '../../src/cli/records/dossier-page.js'
import {type AuditLine, auditHere, isAbout} from '../../src/cli/safety/audit.js'
import type {Client} from '../../src/client/client.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {omit} from '../../src/domain/equal.js'

export default class CustomersDossier extends BaseCommand<typeof CustomersDossier> {
  static override operations: Calls = [
    ...customerReads,
    'queryMessages',
    'getCustomerSessions',
    {operations: ['queryTypes'], when: '--out FILE.html'},
  ]
  static override summary = 'Collect all data of a customer in one document'
  static override description =
    'For access requests (GDPR Art. 15): the customer, messages, quotes, carts, business units and all else that the target has about the customer, sessions, open tokens, and the audit log of this machine. --out writes it to a file that only you can read, as a page for the person if its name ends with .html. Ends with code 10 and lists the parts that could not be read.'
  static override examples = [
    '<%= config.bin %> customers dossier key=ada --out ada.json',
    '<%= config.bin %> customers dossier key=ada --out ada.html',
  ]
  static override args = {ref: refArg('a customer')}

  async run(): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(this.args.ref), {asking: this.asking})
    const dossier = await dossierOf(client, customer, auditHere(this))
    const isPage = /\.html?$/i.test(this.flags.out ?? '') && !this.given.has('json') && !this.given.has('output')
    if (isPage) await this.output.text(await this.#page(client, dossier))
    else await this.output.document(dossier, {columns: []}, 'json')
    const held = Object.entries(dossier).flatMap(([part, list]) =>
      Array.isArray(list) && !part.startsWith('not') ? [`${part} ${list.length}`] : [],
    )
    this.say(`In it: the customer, ${held.join(', ')}.`)
    if (dossier.notServed.length > 0)
      this.say(`Not in it, since the target does not serve it: ${dossier.notServed.join(', ')}.`)
    const {notReadable, notAnswered = []} = dossier
    if (notReadable.length > 0) this.say(`Not in it, since the client may not read it: ${notReadable.join(', ')}.`)
    if (notAnswered.length > 0) this.say(`Not in it, since reading it failed: ${notAnswered.join(', ')}. Repeat it.`)
    if (notReadable.length + notAnswered.length > 0) this.endWith('partial')
  }

  async #page(client: Client, dossier: Dossier): Promise<string> {
    const {dossierPage} = await import('../../src/cli/records/dossier-page.js')
    const {customer} = dossier
    const types = await relatedPage(client, 'types', {where: 'id = :id', 'var.id': customer.custom?.type.id ?? ''})
    const definitions = resultsOf(types).flatMap((type) => listAt(type, 'fieldDefinitions'))
    const labels = new Map(
      definitions.map((one) => [
        textAt(one, 'name'),
        textAt(one, 'label.en') || cellText(Object.values({...(valueAt(one, 'label') as object)})[0]),
      ]),
    )
    const project = this.resolved.target.projectKey
    return dossierPage(this.output.masked(dossier) as Dossier, {labels, project, madeAt: this.io.clock()})
  }
}

const parts = [
  {name: 'messages', segment: 'messages', where: 'resource(id = :id)'},
  {name: 'messages', segment: 'messages', where: 'customerId = :id'},
  ...kindsOfCustomers,
]

/**
 * Everything about a customer that the API shows and this machine has logged, for a request of access; `notReadable` are
 * the parts that the client may not read, `notServed` those that the target does not have.
 */
async function dossierOf(client: Client, customer: Customer, audit: readonly AuditLine[]): Promise<Dossier> {
  const {id} = customer
  const found = new Map<string, unknown[]>()
  const unknown = {'not readable': new Set<string>(), 'not served': new Set<string>(), failed: new Set<string>()}
  const note = (name: string, why: Unknown): void => void unknown[why].add(name)
  for (const {name, segment, where} of parts) {
    const documents = await allRelated(client, segment, {where, 'var.id': id})
    if (typeof documents === 'string') note(name, documents)
    else found.set(name, [...(found.get(name) ?? []), ...documents.map(withoutToken)])
  }
  const sessions = await sessionsOf(client, id)
  if (typeof sessions === 'string') note('sessions', sessions)
  return {
    customer,
    ...Object.fromEntries(found),
    ...(typeof sessions === 'string' ? {} : {sessions}),
    audit: audit.filter(isAbout(customer)),
    notReadable: [...unknown['not readable']],
    notServed: [...unknown['not served']],
    ...(unknown.failed.size === 0 ? {} : {notAnswered: [...unknown.failed]}),
  }
}

/** The value of a one-time token opens the account to whoever gets the file. */
const withoutToken = (document: object): object =>
  'type' in document && /TokenCreated$/.test(String(document.type))
    ? omit(document as {value?: unknown}, ['value'])
    : document
