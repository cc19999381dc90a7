import {Flags} from '@oclif/core'
import {textFlag} from '../../src/cli/input/flags.js'
import {followAsAsked} from '../../src/cli/messages/follow.js'
import {MessageCommand} from '../../src/cli/messages/message-command.js'
import {selectFlags, withoutValue} from '../../src/cli/messages/select.js'
import {plainView} from '../../src/cli/output/views.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {Failure} from '../../src/cli/process/failure.js'
import {interrupted, interruption} from '../../src/cli/process/interruption.js'
import {withTimeLimit} from '../../src/client/time-limit.js'

export default class MessagesWait extends MessageCommand<typeof MessagesWait> {
  static override summary = 'Wait for a message'
  static override description = 'Shows the first message that matches. Ends with code 11 if none arrives in time.'
  static override examples = [
    '<%= config.bin %> messages wait --type CustomerEmailVerified --resource key=ada --since 1h --timeout 10s',
  ]
  static override flags = {
    ...selectFlags,
    since: Flags.string({helpValue: '1m', default: '0s', summary: 'Also accept messages of this age or younger.'}),
    every: Flags.string({helpValue: '1s', default: '1s', summary: 'Pause between two requests.'}),
    timeout: textFlag('1m', 'How long to wait; one minute if absent.'),
  }

  async run(): Promise<void> {
    const {timeout = '1m'} = this.flags
    const signal = withTimeLimit(interruption(), durationMs(timeout, '--timeout'))
    for await (const [message] of followAsAsked(this, this.connection, signal)) {
      if (message === undefined) continue
      await this.output.document(withoutValue(message, this.flags.reveal), plainView)
      return
    }
    if (interruption().aborted) throw interrupted('Interrupted; no such message came until now.')
    throw new Failure('waitEnded', 'WaitEnded', `No such message came within ${timeout}.`, {
      hints: ['Wait longer with --timeout, or look further back with --since.'],
    })
  }
}
