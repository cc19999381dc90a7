import type {EmbeddedTarget} from '../../client/target.js'
import type {RunningServer} from '../../index.js'
import {textFlag} from '../input/flags.js'
import {deliveryLine, forward, receiving} from '../messages/forward.js'
import {markAt} from '../messages/progress.js'
import type {Receiver} from '../messages/receiver.js'
import type {Run} from '../run/run.js'

const intervalMs = 500

export const forwardFlags = {
  'forward-messages': textFlag(
    'URL',
    'Post messages of the project to this address of this machine, as `messages forward` does; a later start goes on.',
  ),
}

/**
 * Delivers the messages of a server of this process, from where the last start ended. Resolves once none can be missed; what
 * it returns ends the deliveries. A failure is said, and the server goes on.
 */
export async function forwarding(run: Run, server: RunningServer, receiver: Receiver, log: boolean) {
  const {clientWithin} = await import('../../client/embedded.js')
  const client = await clientWithin(server, run.resolved.target as EmbeddedTarget)
  const ending = new AbortController()
  let running: Promise<void> | undefined
  const receives = await receiving(run, receiver)
  await new Promise<void>((resolve) => {
    running = forward({
      ...receives,
      client,
      query: {},
      since: markAt(receives.path) ? 'last' : undefined,
      intervalMs,
      signal: ending.signal,
      onReady: resolve,
      onDelivery: async (delivery) => {
        if (log) run.stderr(JSON.stringify(delivery))
        else if (!delivery.delivered) run.stderr(deliveryLine(delivery))
      },
      onTrouble: ({message}) => run.stderr(message),
    })
      .catch((error: Error) => run.stderr(`Messages are no longer delivered: ${error.message}`))
      .finally(resolve)
  })
  return async () => {
    ending.abort()
    await running
  }
}
