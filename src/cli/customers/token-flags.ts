import {Flags} from '@oclif/core'
import {durationMinutes} from '../process/durations.js'
import type {TokenOptions} from './passwords.js'

/** Flags of commands that create one-time tokens. */
export const lifetimeFlags = {
  ttl: Flags.string({helpValue: '60m', summary: 'Lifetime of the token: 1m to 30d.'}),
  'invalidate-older': Flags.boolean({summary: 'Invalidate older tokens of this kind.'}),
}

export interface LifetimeFlags {
  readonly ttl?: string | undefined
  readonly 'invalidate-older'?: boolean
}

export const lifetimeOf = (flags: LifetimeFlags): TokenOptions => ({
  ...(flags.ttl === undefined ? {} : {ttlMinutes: durationMinutes(flags.ttl, '--ttl')}),
  invalidateOlder: flags['invalidate-older'] === true,
})

export const versionFlag = {
  version: Flags.integer({helpValue: 'N', min: 1, summary: 'Expect this version of the customer.'}),
}

/** Default lifetime of email tokens: a day. The API has no default of its own. */
export const emailTokenMinutes = 1440
