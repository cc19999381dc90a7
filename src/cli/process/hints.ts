import type {Trouble} from '../../client/client.js'
import type {ApiError} from '../../domain/errors.js'
import type {Ending} from './exit-codes.js'
import {counted} from './sanitize.js'

/** Hints for errors. A hint names no flag that the failed command lacks, and does not suggest the failed command itself. */

/** The command that failed, as far as hints depend on it. */
export interface Failing {
  /** Words as they are typed, `customers update`. */
  readonly command?: string
  readonly flags?: ReadonlySet<string>
  /** The variables that gave its credentials. */
  readonly variables?: readonly string[]
}

type Hint = string | ((failing: Failing) => string)

const unless = (command: string, hint: string, otherwise: string) => (failing: Failing) =>
  failing.command === command ? otherwise : hint

const who = 'Check the email and the password, and whether the customer belongs to a store.'
const target = 'Check the id or key, and the target: `frontdesk whoami`.'

const byCode: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ['AssociateMissingPermission', 'Give the associate a role with the permission in the business unit.'],
  [
    'ConcurrentModification',
    ({flags}) =>
      flags?.has('on-conflict')
        ? 'Read it again, or repeat with --on-conflict retry.'
        : 'Somebody else changed it meanwhile: read it again, and repeat with the current version.',
  ],
  [
    'DuplicateField',
    ({command = ''}) =>
      /^(customers|api)\b/.test(command) || command === ''
        ? 'Choose another value, or find the holder with `frontdesk customers find`.'
        : 'Choose another value.',
  ],
  ['LockedField', 'Another request is using this value right now; repeat in a moment.'],
  [
    'invalid_client',
    unless(
      'login',
      'Check the client id and secret, and the address they are for: `frontdesk whoami --origins`. `frontdesk login` stores another secret.',
      'Check the client id and the secret, and that they are for the address of the profile; nothing was stored.',
    ),
  ],
  [
    'invalid_token',
    'Get a new token: `frontdesk token issue`, and set FRONTDESK_TOKEN if that is how you give it; or use an API client: `frontdesk login`.',
  ],
  [
    'insufficient_scope',
    unless(
      'check scopes',
      'Use a client with one of the missing scopes: `frontdesk token scopes` lists what a command needs.',
      'Use a client with one of the missing scopes.',
    ),
  ],
  ['invalid_scope', 'An API client gives only scopes that it holds by name: `frontdesk whoami` shows them.'],
  ['InvalidCredentials', who],
  ['invalid_customer_account_credentials', who],
  ['InvalidCurrentPassword', 'Repeat with the right current password, or use `frontdesk customers reset-password`.'],
  ['ExpiredCustomerPasswordToken', 'Create a new one: `frontdesk customers password-token create`.'],
  ['ExpiredCustomerEmailToken', 'Create a new one: `frontdesk customers email-token create`.'],
  ['ResourceNotFound', target],
  ['ReferencedResourceNotFound', 'Create the referenced resource first, or correct the reference.'],
  ['StateCorrupt', 'Repeating it does not help until the damage is repaired; the server has to be stopped for that.'],
  ['InvalidSetup', 'Correct the file or the flag; nothing was set up.'],
  [
    'InvalidInput',
    ({flags}) =>
      !flags || flags.has('where')
        ? 'Correct the value; `frontdesk help predicates` explains queries.'
        : 'Correct the value.',
  ],
])

const byEnding: ReadonlyMap<Ending, Hint> = new Map<Ending, Hint>([
  [
    'denied',
    unless(
      'whoami',
      'Check the credentials of the target: `frontdesk whoami`.',
      'Check the target and its credentials: `frontdesk whoami --origins`.',
    ),
  ],
  ['notFound', target],
  ['invalid', 'Correct the value and repeat.'],
  ['unavailable', 'Repeat in a moment.'],
])

const byTrouble: Readonly<Record<Trouble, string>> = {
  certificate: "The certificate is not trusted: renew it, or name your company's authority with --ca-file.",
  timeout: 'Wait longer with --timeout, as in --timeout 2m, or check whether the server runs.',
  proxy: 'Check the proxy and its credentials in HTTPS_PROXY, or name the host in NO_PROXY.',
  foreign: 'The answer did not come from the API: check the addresses with `frontdesk whoami --origins`.',
}

export const hintOnSilence = (trouble: Trouble | undefined): string =>
  trouble ? byTrouble[trouble] : 'Check the address with `frontdesk whoami --origins` and whether the server runs.'

/** The hint for credentials that variables gave: the variables, not `login`, are the cause. */
const ofVariables = (code: string, {variables = []}: Failing): string | undefined =>
  variables.length > 0 && (code === 'invalid_client' || code === 'invalid_token')
    ? `The credentials are those of ${variables.join(' and ')}: correct the variables, or unset them.`
    : undefined

/** The hint for a sign-in that is refused for a while: the lockout by its name. */
const ofLockout = (code: string, {command = ''}: Failing): string | undefined =>
  code === 'TooManyRequests' && /^customers (sign-in|change-password)$/.test(command)
    ? 'Too many wrong passwords lock a customer out: `frontdesk customers card REF` says until when, and `frontdesk customers reset-password REF --set` ends it at once.'
    : undefined

/** Nobody waits longer than a day for one answer: then the header is wrong, not the pause. */
const mostSeconds = 86_400

const waitText = (given: number): string => {
  const seconds = Math.ceil(given)
  return seconds < 120 ? counted(seconds, 'second') : `${Math.ceil(seconds / 60)} minutes`
}

/** The hints for an error that the API answered, or that something else answered in its place, such as a proxy. */
export function hintsOn(error: ApiError, ending: Ending, failing: Failing): readonly string[] {
  const {retryAfterSeconds: seconds} = error
  const lockout = error.foreign === undefined ? ofLockout(error.code, failing) : undefined
  const hint =
    error.foreign !== undefined
      ? byTrouble.foreign
      : (ofVariables(error.code, failing) ?? byCode.get(error.code) ?? byEnding.get(ending))
  return [
    ...(seconds === undefined || seconds <= 0 || seconds > mostSeconds
      ? []
      : [`Wait ${waitText(seconds)} before the next try.`]),
    ...(lockout === undefined ? [] : [lockout]),
    ...(hint === undefined || lockout !== undefined || (seconds !== undefined && ending === 'unavailable')
      ? []
      : [typeof hint === 'string' ? hint : hint(failing)]),
  ]
}
