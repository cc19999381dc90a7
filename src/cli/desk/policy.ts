import {defined} from '../../domain/equal.js'
import type {Given, globalFlags, writeFlags} from '../command/flags.js'
import {type Environment, variable} from '../process/io.js'
import type {ResolvedTarget} from '../target/target.js'
import type {Policy} from './state.js'

type Flags = Given<typeof globalFlags & typeof writeFlags>

/** What the profile and the flags of the session settle for every call. */
export function policyOf({profile, label, origins, target}: ResolvedTarget, flags: Flags, env: Environment): Policy {
  const name = origins.get('profile')?.value ?? label
  const asks = profile.protected === true && flags['confirm-profile'] === undefined
  return {
    isEmbedded: target.kind === 'embedded',
    ...defined({protectedProfile: asks ? name : undefined}),
    given: defined({ticket: flags.ticket, reason: flags.reason}),
    requiresReason: profile.requireReason === true,
    hasTicket: (flags.ticket ?? variable(env, 'FRONTDESK_TICKET')) !== undefined,
    hasReason: (flags.reason ?? variable(env, 'FRONTDESK_REASON')) !== undefined,
  }
}
