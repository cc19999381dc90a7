import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {cardOf, cardText} from '../../src/cli/customers/card.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'

export default class CustomersCard extends BaseCommand<typeof CustomersCard> {
  static override operations: Calls = [...customerReads, 'queryMessages', 'getCustomerSessions']
  static override summary = 'Show one screen about a customer'
  static override description =
    'Name, company, ids, phones, flags, groups, stores, addresses, sessions, open tokens and quotes, lockout, recent messages, and commands for the next steps.'
  static override examples = ['<%= config.bin %> customers card ada@example.com']
  static override args = {ref: refArg('a customer')}

  async run(): Promise<void> {
    const ref = parseRef(this.args.ref)
    const client = await this.client()
    const customer = await customerOf(client, ref, {
      asking: this.asking,
      expand: ['customerGroup', 'customerGroupAssignments[*].customerGroup'],
    })
    const card = await cardOf(this, client, customer)
    await this.output.answer(card, cardText(this.output.masked(card), this.io.clock()))
  }
}
