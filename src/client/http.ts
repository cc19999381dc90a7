import {randomUUID} from 'node:crypto'
import {defined} from '../domain/equal.js'
import {clientOf} from './calls.js'
import type {Client} from './client.js'
import {sessionOf} from './session/session.js'
import {type ConnectOptions, clientIdOf, type RemoteTarget} from './target.js'
import {httpTransport} from './transports/http.js'

/** A client of a project behind HTTP. */
export async function connectRemote(target: RemoteTarget, options: ConnectOptions): Promise<Client> {
  const {apiUrl, authUrl, projectKey, storeKey, credentials} = target
  const transport = await httpTransport(apiUrl, authUrl, options)
  const session = sessionOf(transport, credentials, {authUrl, projectKey}, options, randomUUID)
  return clientOf({transport, session, projectKey, options, ...defined({storeKey, clientId: clientIdOf(credentials)})})
}
