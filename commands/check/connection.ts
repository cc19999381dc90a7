import {Flags} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {checkConnection} from '../../src/cli/check/connection.js'
import {durationMs} from '../../src/cli/process/durations.js'

export default class CheckConnection extends CheckCommand<typeof CheckConnection> {
  static override operations = ['requestToken'] as const
  static override summary = 'Check the address, the credentials, the project and the clock'
  static override description =
    'Ends with code 9 if something is wrong, and with 7 without an answer. Requests one token and writes nothing.'
  static override examples = [
    '<%= config.bin %> check connection',
    '<%= config.bin %> check connection --max-skew 5s --reporter tap',
  ]
  static override flags = {
    'max-skew': Flags.string({helpValue: '30s', default: '30s', summary: 'Largest difference between the clocks.'}),
  }

  async run(): Promise<void> {
    const maxSkewMs = durationMs(this.flags['max-skew'], '--max-skew')
    const {resolved} = this
    const options = this.connection.options()
    const client = () => this.client()
    await this.report('connection', await checkConnection({resolved, options, client, clock: this.io.clock, maxSkewMs}))
  }
}
