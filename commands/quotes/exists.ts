import {type Calls, onBehalfCalls} from '../../src/cli/command/operations.js'
import {optionalArg, whereFlags} from '../../src/cli/input/flags.js'
import {whereOf} from '../../src/cli/input/query-options.js'
import {usage} from '../../src/cli/process/failure.js'
import {anyQuote, parseQuoteRef, quoteExists} from '../../src/cli/quotes/calls.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'

export default class QuotesExists extends QuoteCommand<typeof QuotesExists> {
  static override operations: Calls = [
    'myQuoteExistsById',
    'myQuoteExistsByKey',
    'myQuoteExistsByQuery',
    ...onBehalfCalls,
  ]
  static override summary = 'Check whether a customer has a quote'
  static override description = 'Ends with code 0 if there is one, and with 3 if not. Reads no data of the quote.'
  static override examples = [
    '<%= config.bin %> quotes exists key=spring-order --as session:ada',
    '<%= config.bin %> quotes exists -w \'quoteState = "Pending"\' --as key=hazel-brandvold --json',
  ]
  static override args = {ref: optionalArg('a quote, instead of --where')}
  static override flags = {...identityFlags, ...whereFlags}

  async run(): Promise<void> {
    const {ref} = this.args
    if ((ref === undefined) === (this.flags.where === undefined)) throw usage('Give either a quote or --where.')
    const named = ref === undefined ? undefined : parseQuoteRef(ref)
    const client = await this.client()
    const exists = named ? await quoteExists(client, named) : await anyQuote(client, whereOf(this.flags))
    await this.output.answer({exists}, exists ? 'exists' : 'does not exist')
    if (!exists) this.endWith('notFound')
  }
}
