import {AnswerCommand} from '../../src/cli/quotes/answer-command.js'

export default class QuotesAccept extends AnswerCommand<typeof QuotesAccept> {
  static override summary = 'Accept a quote'
  static override description =
    'Shows the totals and asks for confirmation. Ends with code 5 if somebody else answered the quote first.'
  static override examples = [
    '<%= config.bin %> quotes accept key=spring-order --as session:ada',
    '<%= config.bin %> quotes accept key=hazel-open --as key=hazel-brandvold --yes --json',
  ]
  protected readonly to = 'Accepted'
  protected readonly verb = {plain: 'accept', past: 'accepted'}
}
