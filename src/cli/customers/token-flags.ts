import {Flags} from '@oclif/core'
import {maxTtlMinutes} from '../../domain/credentials/one-time-token.js'
import {type Given, textFlag} from '../input/flags.js'
import {durationMinutes} from '../process/durations.js'
import {invalidValue} from '../process/failure.js'
import type {TokenOptions} from './passwords.js'

/** Flags of commands that create one-time tokens. */
export const lifetimeFlags = {
  ttl: textFlag('60m', 'Lifetime of the token, such as 60m, 1h30m or 7d: 1m to 30d.'),
  'invalidate-older': Flags.boolean({summary: 'Invalidate older tokens of this kind.'}),
}

export type LifetimeFlags = Given<typeof lifetimeFlags>

/** Throws InvalidValue for a lifetime that the API would refuse. */
function minutesOf(ttl: string): number {
  const minutes = durationMinutes(ttl, '--ttl')
  if (minutes >= 1 && minutes <= maxTtlMinutes) return minutes
  throw invalidValue(`--ttl ${ttl} is too ${minutes < 1 ? 'short' : 'long'}.`, 'A token lives from 1m to 30d.')
}

export const lifetimeOf = (flags: LifetimeFlags): TokenOptions => ({
  ...(flags.ttl === undefined ? {} : {ttlMinutes: minutesOf(flags.ttl)}),
  invalidateOlder: flags['invalidate-older'] === true,
})

export const versionFlag = {
  version: Flags.integer({helpValue: 'N', min: 1, summary: 'Expect this version of the customer.'}),
}

/** Default lifetime of email tokens: a day. The API has no default of its own. */
export const emailTokenMinutes = 1440
