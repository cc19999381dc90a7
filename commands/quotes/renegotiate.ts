import {textFlag} from '../../src/cli/input/flags.js'
import {textOf} from '../../src/cli/input/json-input.js'
import {usage} from '../../src/cli/process/failure.js'
import {AnswerCommand} from '../../src/cli/quotes/answer-command.js'
import type {UpdateAction} from '../../src/domain/action.js'
import {defined} from '../../src/domain/equal.js'

const renegotiation = (buyerComment: string | undefined): UpdateAction => ({
  action: 'requestQuoteRenegotiation',
  ...defined({buyerComment}),
})

export default class QuotesRenegotiate extends AnswerCommand<typeof QuotesRenegotiate> {
  static override summary = 'Ask the seller for another offer'
  static override description =
    'The quote becomes DeclinedForRenegotiation, and the comment cannot be changed later. On a terminal the command asks for the comment; elsewhere give --comment, or --yes to send none.'
  static override examples = [
    '<%= config.bin %> quotes renegotiate key=spring-order --comment "Ten per cent, please." --as session:ada',
    '<%= config.bin %> quotes renegotiate key=spring-order --comment @wishes.txt --as session:ada',
  ]
  static override flags = {
    ...AnswerCommand.flags,
    comment: textFlag('TEXT|@FILE|-', 'Comment for the seller.'),
  }
  protected readonly to = 'DeclinedForRenegotiation'
  protected readonly verb = {plain: 'renegotiate', past: 'renegotiating'}
  protected override readonly asks = false

  protected override async action() {
    const {comment, yes} = this.flags
    if (comment === undefined && !yes && !this.isDry && !this.ask.interactive) {
      throw usage('The comment is missing; a renegotiation cannot be undone.', 'Add --comment TEXT, or --yes for none.')
    }
    return renegotiation(comment === undefined ? undefined : (await textOf(comment, '--comment', this.io)).trimEnd())
  }

  /** Asks for the comment, which stays with the quote for good; going without one takes a yes. */
  protected override async completed(action: UpdateAction) {
    const {ask, flags} = this
    if (flags.comment !== undefined || flags.yes) return action
    const comment = (await ask.text('What should the seller know?', '--comment')).trim()
    if (comment !== '') return renegotiation(comment)
    await ask.confirm('Ask for another offer without a comment? It cannot be undone.')
    return action
  }
}
