import {Flags} from '@oclif/core'
import {textOf} from '../../src/cli/json-input.js'
import {quoteWrites} from '../../src/cli/operations.js'
import {AnswerCommand, answerArgs, answerFlags} from '../../src/cli/quotes/answer-command.js'

export default class QuotesRenegotiate extends AnswerCommand<typeof QuotesRenegotiate> {
  static override operations = quoteWrites
  static override summary = 'Ask the seller for another offer'
  static override description = 'The quote becomes DeclinedForRenegotiation and keeps the comment.'
  static override examples = [
    '<%= config.bin %> quotes renegotiate key=spring-order --comment "Ten per cent, please." --as-session ada',
    '<%= config.bin %> quotes renegotiate key=spring-order --comment @wishes.txt --as-session ada',
  ]
  static override args = answerArgs
  static override flags = {
    ...answerFlags,
    comment: Flags.string({helpValue: 'TEXT|@FILE|-', summary: 'What the seller should know.'}),
  }
  protected readonly to = 'DeclinedForRenegotiation'
  protected readonly verb = {plain: 'renegotiate', past: 'renegotiating'}
  protected override readonly asks = false

  protected async action() {
    const {comment} = this.flags
    const buyerComment = comment === undefined ? undefined : (await textOf(comment, '--comment', this.io)).trimEnd()
    return {action: 'requestQuoteRenegotiation', ...(buyerComment === undefined ? {} : {buyerComment})}
  }
}
