import type {Client} from '../../client/client.js'
import type {Redactor} from './redactor.js'

/** A client whose request and response bodies are reported to the redaction, so that it recognises their values in text. */
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
