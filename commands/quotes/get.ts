import {assertedTypes, type Calls, onBehalfCalls} from '../../src/cli/command/operations.js'
import {Assertions} from '../../src/cli/input/assertions.js'
import {readFlags} from '../../src/cli/input/flags.js'
import {parseQuoteRef, quoteArg, quoteOf} from '../../src/cli/quotes/calls.js'
import {identityFlags} from '../../src/cli/quotes/identity.js'
import {QuoteCommand} from '../../src/cli/quotes/quote-command.js'
import {quoteView} from '../../src/cli/quotes/view.js'

export default class QuotesGet extends QuoteCommand<typeof QuotesGet> {
  static override operations: Calls = ['getMyQuoteById', 'getMyQuoteByKey', ...onBehalfCalls, assertedTypes]
  static override summary = 'Show a quote of a customer'
  static override description = "Another customer's quote is reported as not found."
  static override examples = [
    '<%= config.bin %> quotes get key=spring-order --as session:ada',
    '<%= config.bin %> quotes get key=hazel-open --as key=hazel-brandvold --expand quoteRequest -o json',
    "<%= config.bin %> quotes get key=spring-order --as session:ada --assert 'quoteState = Accepted'",
  ]
  static override args = {ref: quoteArg}
  static override flags = {...identityFlags, ...readFlags}

  async run(): Promise<void> {
    const ref = parseQuoteRef(this.args.ref)
    const assertions = new Assertions(this.flags.assert, this)
    const quote = await quoteOf(await this.client(), ref, this.flags.expand)
    await assertions.check(quote)
    await this.output.document(quote, quoteView)
  }
}
