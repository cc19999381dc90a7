import {Flags} from '@oclif/core'
import {choiceFlag, switchFlag, textFlag} from '../../src/cli/input/flags.js'
import {readerOf, targetTime} from '../../src/cli/messages/follow.js'
import {deliveryLine, forward, receiving} from '../../src/cli/messages/forward.js'
import {MessageCommand} from '../../src/cli/messages/message-command.js'
import {formats, receiverOf} from '../../src/cli/messages/receiver.js'
import {selectFlags, selection} from '../../src/cli/messages/select.js'
import {durationMs, sinceOf} from '../../src/cli/process/durations.js'
import {interruption} from '../../src/cli/process/interruption.js'
import {defined} from '../../src/domain/equal.js'

export default class MessagesForward extends MessageCommand<typeof MessagesForward> {
  static override summary = 'Deliver messages to an address as they arrive'
  static override description =
    `Posts each message as the platform's subscriptions deliver it, until it is interrupted. A 2xx is delivered; any other answer,
or none within 10 s, is repeated after 0.5 to 10 s, and later messages of the resource wait. Values of one-time tokens are left
out without --reveal value. A kill may deliver again what was delivered in the last second. An address beyond this machine needs
https and a header.`
  static override examples = [
    '<%= config.bin %> messages forward --to http://localhost:3000/hooks',
    '<%= config.bin %> messages forward --to http://localhost:3000/hooks --type CustomerCreated --since last --once',
  ]
  static override flags = {
    to: Flags.string({required: true, helpValue: 'URL', summary: 'Address that the messages are posted to.'}),
    type: selectFlags.type,
    since: textFlag(
      'TIME|last',
      'Also what was created since: a day, a moment, a time ago such as 10m, or where the last run ended.',
    ),
    format: choiceFlag(formats, 'Form of the payload; platform if absent.'),
    once: switchFlag('End when nothing is left.', {dependsOn: ['since']}),
    'header-from': textFlag(
      'env:NAME',
      'Variable with a header that is sent along, such as `Authorization: Bearer …`.',
    ),
    every: Flags.string({helpValue: '1s', default: '1s', summary: 'Pause between two requests for messages.'}),
  }

  async run(): Promise<void> {
    const {to, type, since, format = 'platform', once, store, global: isGlobal, reveal = []} = this.flags
    const {label, target} = this.resolved
    const of = {profile: label, project: target.projectKey, ...defined({store, global: isGlobal})}
    const receiver = receiverOf(to, '--to', format, this.flags['header-from'], this.io.env)
    const intervalMs = durationMs(this.flags.every, '--every')
    if (since !== undefined && since !== 'last') sinceOf(since, '--since', this.io.clock())
    const onDelivery = this.output.stream(deliveryLine)
    await this.effect({
      at: 'machine',
      plan: () => [{to: receiver.url, of, reveal}, `would deliver messages of ${label} to ${receiver.url}`],
      act: async () => {
        const signal = interruption()
        const query = await selection(await this.client(), defined({type}), this.resolved)
        const client = await readerOf(this.connection, this.resolved)
        const moment =
          since === undefined || since === 'last' ? since : sinceOf(since, '--since', await targetTime(client, signal))
        await forward({
          ...(await receiving(this, receiver, type)),
          client,
          query,
          since: moment,
          isOnce: once,
          intervalMs,
          onDelivery,
          signal,
          onTrouble: (error, repeatMs) => this.stderr(`${error.message} Asked again in ${repeatMs / 1000} s.`),
        })
      },
    })
  }
}
