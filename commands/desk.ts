import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../src/cli/command/base-command.js'
import {writeFlags} from '../src/cli/command/flags.js'
import {deskCalls} from '../src/cli/desk/acts.js'
import {type Log, sessionAt} from '../src/cli/desk/desk.js'
import {withoutTerminal} from '../src/cli/desk/without-terminal.js'

export default class Desk extends BaseCommand<typeof Desk> {
  static override operations = deskCalls
  static override summary = 'Serve customers on the phone, one call after another'
  static override description =
    'A guided session: find the customer as you type, see the card, and press a letter for what is to be done. Every act runs the command that it prints, with the same audit and safety; ticket, reason and the name of a protected profile are asked for once a call. Ctrl-C goes back a step, twice ends the session.'
  static override examples = [
    '<%= config.bin %> desk',
    '<%= config.bin %> desk brandvold --ticket CS-1731',
    '<%= config.bin %> desk --plain',
  ]
  static override args = {
    text: Args.string({ignoreStdin: true, description: 'what to search for first'}),
  }
  static override flags = {
    plain: Flags.boolean({summary: 'One question a line, nothing redrawn: for screen readers. On with TERM=dumb.'}),
    ...writeFlags,
  }

  async run(): Promise<void> {
    if (!this.ask.interactive) throw withoutTerminal()
    const log: Log = []
    await sessionAt({
      config: this.config,
      io: this.io,
      flags: this.flags,
      resolved: this.resolved,
      connection: this.connection,
      client: () => this.client(),
      redaction: this.redaction,
      commandLine: (words) => this.commandLine(words),
      text: this.args.text ?? '',
      log,
    })
    const customers = new Set(log.map(({customer}) => customer)).size
    await this.output.answer({acts: log}, `acts: ${log.length}, customers: ${customers}`)
  }
}
