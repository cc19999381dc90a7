import {defined} from '../domain/equal.js'
import {clientOf} from './calls.js'
import type {Client, Transport} from './client.js'
import {sessionOf} from './session/session.js'
import {type ConnectOptions, clientIdOf, type RemoteTarget} from './target.js'
import {httpTransport} from './transports/http.js'

/** A client of a project behind HTTP. `around` may put something around its transport. */
export async function connectRemote(
  target: RemoteTarget,
  options: ConnectOptions,
  around: (transport: Transport) => Transport = (transport) => transport,
): Promise<Client> {
  const {apiUrl, authUrl, projectKey, storeKey, credentials} = target
  const transport = around(await httpTransport(apiUrl, authUrl, options))
  const session = sessionOf(transport, credentials, {authUrl, projectKey}, options)
  return clientOf({transport, session, projectKey, options, ...defined({storeKey, clientId: clientIdOf(credentials)})})
}
