import type {Given, globalFlags} from '../command/flags.js'
import {type Environment, isOn} from '../process/io.js'
import {noRedaction, type Redactor} from './redactor.js'

/**
 * What a command shows: people, which `--redact` masks, or this installation with its profiles, tokens and local server,
 * which it leaves readable.
 */
export type Shows = 'people' | 'installation'

type RedactionFlags = Given<typeof globalFlags>

/**
 * The redaction of a run by flag, environment or profile. If the flags could not be parsed, `--redact` is looked up in the
 * arguments themselves.
 */
export async function redactionFor(
  shows: Shows,
  argv: readonly string[],
  env: Environment,
  flags: RedactionFlags | undefined,
  profile: () => {readonly redact?: boolean},
): Promise<Redactor> {
  const asked = flags?.redact === true || argv.includes('--redact') || isOn(env, 'FRONTDESK_REDACT')
  const on = shows === 'people' && (asked || wantedBy(profile))
  if (!on) return noRedaction
  const {Redaction} = await import('./redaction.js')
  const redaction = new Redaction(on, flags?.reveal)
  redaction.learnArguments(argv)
  return redaction
}

/** A profile that cannot be read wants nothing: the command fails before it reaches a customer. */
function wantedBy(profile: () => {readonly redact?: boolean}): boolean {
  try {
    return profile().redact === true
  } catch {
    return false
  }
}
