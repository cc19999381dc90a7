import {AnswerCommand} from '../../src/cli/quotes/answer-command.js'

export default class QuotesDecline extends AnswerCommand<typeof QuotesDecline> {
  static override summary = 'Decline a quote'
  static override description =
    'Shows the totals and asks for confirmation. To ask for another offer instead, use `quotes renegotiate`.'
  static override examples = ['<%= config.bin %> quotes decline key=spring-order --as session:ada']
  protected readonly to = 'Declined'
  protected readonly verb = {plain: 'decline', past: 'declined'}
}
