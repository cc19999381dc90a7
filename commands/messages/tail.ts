import {Flags} from '@oclif/core'
import {textFlag} from '../../src/cli/input/flags.js'
import {followAsAsked, type SeenMessage} from '../../src/cli/messages/follow.js'
import {MessageCommand} from '../../src/cli/messages/message-command.js'
import {selectFlags, withoutValue} from '../../src/cli/messages/select.js'
import {durationMs} from '../../src/cli/process/durations.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {withTimeLimit} from '../../src/client/time-limit.js'

export default class MessagesTail extends MessageCommand<typeof MessagesTail> {
  static override summary = 'Print messages as they arrive'
  static override description =
    'Runs until it is interrupted, or for the time of --for. With -o jsonl, prints one JSON document per line.'
  static override examples = ['<%= config.bin %> messages tail --type CustomerCreated --since 10m --for 1s']
  static override flags = {
    ...selectFlags,
    since: Flags.string({helpValue: '10m', default: '0s', summary: 'Also print messages of this age or younger.'}),
    every: Flags.string({helpValue: '2s', default: '2s', summary: 'Pause between two requests.'}),
    for: textFlag('1m', 'End after this time.'),
  }

  async run(): Promise<void> {
    const {for: end, reveal} = this.flags
    const signal = end === undefined ? interruption() : withTimeLimit(interruption(), durationMs(end, '--for'))
    const print = this.output.stream(({createdAt, type, id}: SeenMessage) => `${createdAt}  ${type}  ${id}`)
    for await (const batch of followAsAsked(this, this.connection, signal)) {
      for (const message of batch) await print(withoutValue(message, reveal))
    }
  }
}
