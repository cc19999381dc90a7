import {BaseCommand} from '../src/cli/command/base-command.js'
import {acts, deskCalls} from '../src/cli/desk/acts.js'
import {sessionAt} from '../src/cli/desk/desk.js'
import {optionalArg, switchFlag, writeFlags} from '../src/cli/input/flags.js'
import {Failure} from '../src/cli/process/failure.js'

export default class Desk extends BaseCommand<typeof Desk> {
  static override operations = deskCalls
  static override summary = 'Serve customers on the phone, one call after another'
  static override description =
    'A guided session: type to find the customer, read the card, and press the letter of an action. Each action runs the command that it prints. If the profile lists fields that a caller must state (`login --ask-caller`), the desk hides them and does nothing before. Ticket and reason are asked for once per call, the name of a protected profile once per session and before a deletion. Ctrl-C goes back one step, twice ends the session.'
  static override examples = [
    '<%= config.bin %> desk',
    '<%= config.bin %> desk brandvold --ticket CS-1731',
    '<%= config.bin %> desk --plain',
  ]
  static override args = {text: optionalArg('text of the first search')}
  static override flags = {
    plain: switchFlag('Ask one question per line and redraw nothing, for screen readers; the default with TERM=dumb.'),
    ...writeFlags,
  }

  async run(): Promise<void> {
    if (!this.ask.interactive) throw withoutTerminal()
    const {config, connection} = this
    const log = await sessionAt({run: this, config, connection, text: this.args.text ?? ''})
    const customers = new Set(log.map(({customer}) => customer)).size
    await this.output.answer({acts: log}, `customers served: ${customers}, actions: ${log.length}`)
  }
}

/** The failure of a desk without anybody at it: it names the commands that do the same. */
function withoutTerminal(): Failure {
  const commands = ['customers find TEXT', 'customers card REF', ...acts.map(({command}) => `${command} REF`)]
  return new Failure('needsAnswer', 'AnswerNeeded', 'The desk is for a person at a terminal; prompting is off.', {
    hints: ['Use the commands themselves:', [...new Set(commands)].map((command) => `frontdesk ${command}`).join(', ')],
  })
}
