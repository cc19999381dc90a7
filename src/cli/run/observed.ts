import type {Client} from '../../client/client.js'
import type {Redactor} from '../output/redactor.js'

/** A client whose request and response bodies are reported to the redaction, so that it recognises their values in text. */
export function observed(client: Client, redaction: Redactor): Client {
  if (!redaction.on) return client
  // One for each client: what is known of a client is known of the one that observes it.
  const known = observers.get(client)
  if (known) return known
  const observer: Client = {
    ...client,
    call: async (operation, params, options) => {
      redaction.learn(options?.body)
      const reply = await client.call(operation, params, options)
      redaction.learn(reply)
      return reply
    },
  }
  observers.set(client, observer)
  return observer
}

const observers = new WeakMap<Client, Client>()
