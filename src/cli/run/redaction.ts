import type {Client} from '../../client/client.js'
import type {FlagValues, globalFlags} from '../input/flags.js'
import type {Redaction} from '../output/redaction.js'
import {type Environment, isOn, valuesIn} from '../process/io.js'
import type {Profile, Profiles} from '../target/profiles.js'
import {chosenProfile} from '../target/settings.js'

/** The part of `Redaction` that a run uses. */
export type Redactor = Pick<Redaction, 'document' | 'learn' | 'text' | 'note' | 'error'> & {readonly on: boolean}

/** Redaction switched off, without loading the table of fields. */
export const noRedaction: Redactor = {
  on: false,
  document: (value) => value,
  learn: () => undefined,
  text: (text) => text,
  note: (text) => text,
  error: (report) => report,
}

/**
 * What a command shows: people, which `--redact` masks, or this installation with its profiles, tokens and local server,
 * which it leaves readable.
 */
export type Shows = 'people' | 'installation'

/**
 * The redaction of a run by flag, environment or profile. If the flags could not be parsed, `--redact` and the profile are
 * looked up in the arguments themselves.
 */
export async function redactionFor(
  shows: Shows,
  argv: readonly string[],
  env: Environment,
  flags: FlagValues<typeof globalFlags> | undefined,
  profiles: () => Profiles,
): Promise<Redactor> {
  const asked = flags?.redact === true || argv.includes('--redact') || isOn(env, 'FRONTDESK_REDACT')
  const named = flags ? [flags] : [{}, ...valuesIn(argv, 'profile', 'P').map((profile) => ({profile}))]
  const on =
    shows === 'people' && (asked || named.some((one) => wants(() => chosenProfile(profiles(), one, env).profile)))
  if (!on) return noRedaction
  const {Redaction} = await import('../output/redaction.js')
  const redaction = new Redaction(flags?.reveal)
  redaction.learnArguments(argv)
  return redaction
}

/** Whether a profile wants redaction. One that cannot be read wants nothing: the command fails before it reaches a customer. */
function wants(profile: () => Profile): boolean {
  try {
    return profile().redact === true
  } catch {
    return false
  }
}

/** A client whose request and response bodies are reported to the redaction, so that it recognises their values in text. */
export function withRedaction(client: Client, redaction: Redactor): Client {
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
