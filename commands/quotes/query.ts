import {queryMyQuotes} from '../../src/api/quotes/operations.js'
import {assertedTypes, type Calls, onBehalfCalls} from '../../src/cli/command/operations.js'
import {askQuery} from '../../src/cli/command/query.js'
import {queryFlags} from '../../src/cli/input/flags.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'
import {quoteView} from '../../src/cli/quotes/view.js'

export default class QuotesQuery extends QuoteCommand<typeof QuotesQuery> {
  static override operations: Calls = ['queryMyQuotes', ...onBehalfCalls, assertedTypes]
  static override summary = "Find a customer's quotes by predicates"
  static override description = 'The predicate selects among the quotes of this customer only.'
  static override examples = [
    "<%= config.bin %> quotes query -w 'quoteState = :state' --var state=Pending --as session:ada",
    '<%= config.bin %> quotes query --as key=hazel-brandvold -s validTo -o ids',
  ]
  static override flags = {...identityFlags, ...queryFlags}

  async run(): Promise<void> {
    await askQuery(this, this.output, queryMyQuotes, quoteView)
  }
}
