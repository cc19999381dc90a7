import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import type {Calls} from '../../src/cli/command/operations.js'
import {type Found, findCustomers} from '../../src/cli/customers/find.js'
import {cutNote} from '../../src/cli/output/cut-note.js'
import {foundView} from '../../src/cli/output/found-view.js'

export default class CustomersFind extends BaseCommand<typeof CustomersFind> {
  static override operations: Calls = [
    'searchCustomers',
    {operations: ['queryCustomers'], when: 'a server that has no search'},
  ]
  static override summary = 'Find customers by any part of what they are known by'
  static override description =
    'Every word must be found: in a name, email, company, key, number, VAT id, phone number, city or postal code, or at the start of an id. Case, accents, punctuation and order do not matter. A server of another make is asked for exact values; --deep then reads its customers one by one. Ends with code 3 if no customer is found.'
  static override examples = [
    '<%= config.bin %> customers find haz brandv',
    '<%= config.bin %> customers find "+49 30 5550"',
    '<%= config.bin %> customers find lovelace london -o ids',
    '<%= config.bin %> customers find lovelace --deep --max-read 20000',
  ]
  static override args = {
    text: Args.string({required: true, multiple: true, ignoreStdin: true, description: 'words, or parts of words'}),
  }
  static override flags = {
    limit: Flags.integer({char: 'n', default: 20, min: 1, max: 500, summary: 'Largest number of results.'}),
    deep: Flags.boolean({summary: 'If exact values find nobody, read the customers of the project and look at each.'}),
    'max-read': Flags.integer({
      helpValue: 'N',
      default: 100_000,
      min: 1,
      summary: 'Read no more customers than this with --deep.',
    }),
  }

  async run(): Promise<void> {
    const {limit, deep, 'max-read': maxRead} = this.flags
    const onRead = (read: number, found: number): void => this.say(`${read} customers read, ${found} found`)
    const found = await findCustomers(await this.client(), this.args.text.join(' '), {limit, deep, maxRead, onRead})
    await this.output.page({...found}, foundView)
    const cut = cutNote(found, this.output.form, 'say more, or raise --limit (500 at the most).')
    if (cut !== undefined) this.say(cut)
    if (found.isPartial) this.say(`The reading ended after ${found.read} customers; --max-read reads more.`)
    if (found.count > 0) return
    this.endWith('notFound')
    this.say(nobody(found))
  }
}

const nobody = ({by, read}: Found): string => {
  if (by === 'search') return 'Nobody has all of these words. Leave one out, or shorten one.'
  if (by === 'walk') return `None of the ${read} customers read has all of these words.`
  return 'Nobody has exactly this, and this server does not search by parts; --deep reads its customers one by one.'
}
