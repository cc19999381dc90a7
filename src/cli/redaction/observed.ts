import type {Client} from '../../client/client.js'
import type {Redactor} from './redactor.js'

/** A client whose requests and answers teach the redaction whom this run is about. */
export function observed(client: Client, redaction: Redactor): Client {
  if (!redaction.on) return client
  return {
    ...client,
    call: async (operation, params, options) => {
      redaction.learn(options?.body)
      const reply = await client.call(operation, params, options)
      redaction.learn(reply)
      return reply
    },
  }
}
