import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {dossierOf} from '../../src/cli/records/dossier.js'
import {readAudit} from '../../src/cli/safety/audit-chain.js'
import {auditFolder} from '../../src/cli/target/settings.js'

export default class CustomersDossier extends BaseCommand<typeof CustomersDossier> {
  static override operations: Calls = [...customerReads, 'queryMessages', 'getCustomerSessions']
  static override summary = 'Collect all data of a customer in one document'
  static override description =
    'For requests of access (GDPR Art. 15): the customer, messages, quotes, quote requests, carts, sessions, open tokens, and the audit log of this machine. --out writes it to a file that only you can read. Ends with code 10 and lists the parts that the client may not read.'
  static override examples = ['<%= config.bin %> customers dossier key=ada --out ada.json']
  static override args = {ref: refArg('a customer')}

  async run(): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(this.args.ref), {asking: this.asking})
    const {lines} = readAudit(auditFolder(this.folders))
    const dossier = await dossierOf(client, customer, lines)
    await this.output.document(dossier, {columns: []}, 'json')
    const held = Object.entries(dossier).flatMap(([part, list]) =>
      Array.isArray(list) && part !== 'notReadable' ? [`${part} ${list.length}`] : [],
    )
    this.say(`In it: the customer, ${held.join(', ')}.`)
    if (dossier.notReadable.length === 0) return
    this.say(`Not in it, since the client may not read it: ${dossier.notReadable.join(', ')}.`)
    this.endWith('partial')
  }
}
