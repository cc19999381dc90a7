import {type Environment, isOn} from '../process/io.js'
import {noRedaction, type Redactor} from './redactor.js'

/** Topics whose answers are about this installation and its credentials, never about customers. */
const impersonalTopics: ReadonlySet<string> = new Set([
  'callback',
  'completion',
  'deprecations',
  'introspection',
  'login',
  'logout',
  'profiles',
  'server',
  'token',
  'whoami',
])

interface RedactionFlags {
  readonly redact?: boolean
  readonly reveal?: readonly string[] | undefined
}

/** The redaction of a run by flag, environment or profile. A command line that cannot be read is asked for its words. */
export async function redactionFor(
  command: string,
  argv: readonly string[],
  env: Environment,
  flags: RedactionFlags | undefined,
  profile: () => {readonly redact?: boolean},
): Promise<Redactor> {
  const [topic = ''] = command.split(':', 1)
  const asked = flags?.redact === true || argv.includes('--redact') || isOn(env, 'FRONTDESK_REDACT')
  const on = !impersonalTopics.has(topic) && (asked || wantedBy(profile))
  if (!on) return noRedaction
  const {Redaction} = await import('./redaction.js')
  const redaction = new Redaction(on, flags?.reveal)
  redaction.learnArguments(argv)
  return redaction
}

/** Where the profile cannot be read, no customer is reached. */
function wantedBy(profile: () => {readonly redact?: boolean}): boolean {
  try {
    return profile().redact === true
  } catch {
    return false
  }
}
