import {Flags} from '@oclif/core'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {findCustomers, neighboursIn} from '../../src/cli/customers/find.js'
import {foundView} from '../../src/cli/customers/found-view.js'
import {requiredArgs} from '../../src/cli/input/flags.js'

export default class CustomersFind extends BaseCommand<typeof CustomersFind> {
  static override operations = [
    'searchCustomers',
    'queryCustomers',
    {operations: ['queryMessages'], when: 'an email that nobody has now'},
  ] as const
  static override summary = 'Find customers by parts of a name, email, number or address'
  static override description =
    'Best match first. Words match the beginnings of words in names, emails, companies, keys, numbers, VAT ids, phone numbers and addresses, then names that sound alike; also dates of birth and the start of an id. Case, accents, punctuation and order do not matter. Without Customer Search in the project, only exact values match. Ends with code 3 if no customer is found.'
  static override examples = [
    '<%= config.bin %> customers find haz brandv',
    '<%= config.bin %> customers find "+49 30 5550"',
    '<%= config.bin %> customers find brandfold 29.2.1984',
    '<%= config.bin %> customers find lovelace london -o ids',
  ]
  static override args = {text: requiredArgs('words, or parts of words')}
  static override flags = {
    limit: Flags.integer({char: 'n', default: 20, min: 1, max: 100, summary: 'Largest number of results.'}),
  }

  async run(): Promise<void> {
    const text = this.args.text.join(' ')
    const found = await findCustomers(await this.client(), text, {limit: this.flags.limit})
    const {withoutSearch, ...page} = found
    const isCut = await this.output.list(page, foundView, 'type more, or raise --limit (to 100 at the most).')
    if (!isCut && found.count > 0 && this.output.form === undefined) this.say(`${found.count} found`)
    if (withoutSearch?.isOff)
      this.say(
        `This project has no search, so only exact values were compared. To switch it on: ${this.#switchOn()}, or the list of customers in the Merchant Center.`,
      )
    if (found.by === 'former email') this.say('Nobody has this email now; it was theirs before.')
    const close = neighboursIn(found, text)
    const which = close === found.count ? 'All results are' : close === 1 ? 'The last is' : `The last ${close} are`
    if (close > 0) this.say(`${found.count === 1 ? 'The result is' : which} only close to "${text}".`)
    if (found.count > 0) return
    this.endWith('notFound')
    this.say(
      found.by === 'search'
        ? 'Nobody matches. Leave a word out, or shorten one.'
        : 'No customer has exactly this value.',
    )
  }

  #switchOn(): string {
    const body = '{"version":VERSION,"actions":[{"action":"changeCustomerSearchStatus","status":"Activated"}]}'
    return this.commandLine(['api', 'POST', '/', '--body', body])
  }
}
