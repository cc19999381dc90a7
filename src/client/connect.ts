import type {Client} from './client.js'
import type {ConnectOptions, Target} from './target.js'

/** Opens a client for a target. Nothing is sent yet. The transport that is not needed is not loaded. */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  if (target.kind === 'embedded') {
    const {connectEmbedded} = await import('./embedded.js')
    return connectEmbedded(target, options)
  }
  const {connectRemote} = await import('./http.js')
  return connectRemote(target, options)
}
