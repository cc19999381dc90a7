import {defined} from '../domain/equal.js'
import type {LiveServer} from '../store/locator.js'
import {clientOf} from './calls.js'
import type {Client, Transport} from './client.js'
import {sessionOf} from './session/session.js'
import {type ConnectOptions, clientIdOf, type RemoteTarget} from './target.js'
import {httpTransport} from './transports/http.js'

/** A client of a project behind HTTP. `holder`: the server of this machine that holds the state of an embedded target. */
export async function connectRemote(
  {apiUrl, authUrl, projectKey, storeKey, credentials}: RemoteTarget,
  options: ConnectOptions,
  holder?: LiveServer,
): Promise<Client> {
  const direct = await httpTransport(apiUrl, authUrl, options)
  const transport = holder ? tellingOfSilence(direct, holder, options) : direct
  const session = sessionOf(transport, credentials, {authUrl, projectKey}, options)
  return clientOf({transport, session, projectKey, options, ...defined({storeKey, clientId: clientIdOf(credentials)})})
}

const defaultSilenceMs = 2000

/**
 * Reports once that a server of this machine does not answer: a stopped or very busy one blocks its state, and the
 * commands that need it, until it continues.
 */
export function tellingOfSilence(
  transport: Transport,
  {pid, origin}: LiveServer,
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
