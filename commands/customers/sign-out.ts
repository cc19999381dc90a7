import {BaseCommand} from '../../src/cli/command/base-command.js'
import {type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {endSessions, sessionsEnded} from '../../src/cli/customers/sessions.js'
import {writeFlags} from '../../src/cli/input/flags.js'
import {parseRef, refArg} from '../../src/cli/input/refs.js'
import {personOf} from '../../src/cli/output/views.js'

export default class CustomersSignOut extends BaseCommand<typeof CustomersSignOut> {
  static override operations: Calls = [...customerReads, 'endCustomerSessions', 'getCustomerSessions']
  static override summary = 'End every session of a customer'
  static override description =
    'Ends every access and refresh token of the customer at once; the password stays. The platform does not offer this: there the command changes nothing, says what ends sessions, and ends with code 6.'
  static override examples = ['<%= config.bin %> customers sign-out ada@example.com --reason "lost a phone"']
  static override args = {ref: refArg('a customer')}
  static override flags = writeFlags

  async run(): Promise<void> {
    const client = await this.client()
    const customer = await customerOf(client, parseRef(this.args.ref), {asking: this.asking})
    const {id} = customer
    const person = personOf(this.output.masked(customer))
    const reset = this.commandLine(['customers', 'reset-password', id, '--set', '--generate-password'])
    const done = await this.effect({
      plan: () => [{id}, `would end every session of ${person}`],
      target: id,
      actions: ['endSessions'],
      request: () => endSessions(client, id, reset),
      settle: sessionsEnded(client, id, this.commandLine(['customers', 'card', id])),
    })
    if (!done) return
    const {ended} = done
    await this.output.answer({id, ended: ended ?? null}, `signed out ${person}: ${endedText(ended)}`)
  }
}

function endedText(ended: number | undefined): string {
  if (ended === undefined) return 'no session is open any more'
  if (ended === 0) return 'no session was open'
  return ended === 1 ? '1 session ended' : `${ended} sessions ended`
}
