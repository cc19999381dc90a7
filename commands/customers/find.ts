import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import type {Calls} from '../../src/cli/command/operations.js'
import {findCustomers} from '../../src/cli/customers/find.js'
import {cutNote} from '../../src/cli/output/cut-note.js'
import {customerView} from '../../src/cli/output/views.js'
import {usage} from '../../src/cli/process/failure.js'

export default class CustomersFind extends BaseCommand<typeof CustomersFind> {
  static override operations: Calls = ['queryCustomers']
  static override summary = 'Find customers by name, email, key, number or id'
  static override description =
    'Searches email, key, customer number, external id, id, names and company. Ends with code 3 if no customer is found.'
  static override examples = [
    '<%= config.bin %> customers find ada@example.com',
    '<%= config.bin %> customers find "ada lovelace" -o ids',
  ]
  static override args = {
    text: Args.string({required: true, ignoreStdin: true, description: 'the whole value to search for'}),
  }
  static override flags = {
    limit: Flags.integer({char: 'n', default: 20, min: 1, max: 500, summary: 'Largest number of results.'}),
  }

  async run(): Promise<void> {
    const {text} = this.args
    if (text.trim() === '') throw usage('There is nothing to look for.')
    const found = await findCustomers(await this.client(), text, this.flags.limit)
    await this.output.page({...found}, customerView)
    const cut = cutNote(found, this.output.form, 'say more of the name, or raise --limit (500 at the most).')
    if (cut !== undefined) this.say(cut)
    if (found.count > 0) return
    this.endWith('notFound')
    this.say('Nobody has exactly this; predicates find more: `frontdesk help predicates`.')
  }
}
