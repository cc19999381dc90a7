import type {Transport} from '../client.js'
import type {ConnectOptions} from '../target.js'

const defaultSilenceMs = 2000

/**
 * Tells once whom the caller waits for when a server of this machine does not answer: one that is stopped or very busy
 * holds its state, and its commands, until it goes on.
 */
export function tellingOfSilence(
  transport: Transport,
  {pid, origin}: {readonly pid: number; readonly origin: string},
  {onWait, silenceMs = defaultSilenceMs}: ConnectOptions,
): Transport {
  if (!onWait) return transport
  let isTold = false
  const tell = (): void => {
    if (!isTold) onWait(`the server with process id ${pid} at ${origin}`)
    isTold = true
  }
  return {
    ...transport,
    async send(request) {
      const timer = setTimeout(tell, silenceMs)
      try {
        return await transport.send(request)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
