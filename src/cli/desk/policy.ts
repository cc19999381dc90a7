import {defined} from '../../domain/equal.js'
import {type Environment, variable} from '../process/io.js'
import type {Run} from '../run/run.js'
import type {CallerField} from '../target/caller-fields.js'
import type {ResolvedTarget} from '../target/target.js'
import {type Question, text} from './act.js'

/** What is noted once a call and goes with every write of it. */
export interface Call {
  readonly ticket?: string
  readonly reason?: string
  readonly profile?: string
  /** Names of the fields that were checked, with blanks between them; absent before the check. */
  readonly checked?: string
}

/** What the target and the flags of the session settle before any call. */
export interface Policy {
  /** The protected profile whose name must be typed; absent if there is none, or a flag has named it. */
  readonly protectedProfile?: string
  readonly requiresReason: boolean
  /** What flags give for every call of the session. */
  readonly given: Call
  /** Whether flags or variables give them. */
  readonly hasTicket: boolean
  readonly hasReason: boolean
  readonly callerFields: readonly CallerField[]
  /** Nothing is sent, so that nothing is noted. */
  readonly isDryRun: boolean
}

export function policyOf(
  {profile, label, origins}: ResolvedTarget,
  flags: Run['flags'],
  env: Environment,
  callerFields: readonly CallerField[],
): Policy {
  const name = origins.get('profile')?.value ?? label
  const asks = profile.protected === true && flags['confirm-profile'] === undefined
  return {
    ...defined({protectedProfile: asks ? name : undefined}),
    given: defined({ticket: flags.ticket, reason: flags.reason}),
    requiresReason: profile.requireReason === true,
    callerFields,
    hasTicket: (flags.ticket ?? variable(env, 'FRONTDESK_TICKET')) !== undefined,
    isDryRun: flags['dry-run'] === true,
    hasReason: (flags.reason ?? variable(env, 'FRONTDESK_REASON')) !== undefined,
  }
}

/** The questions of a call, asked before its first write and with the key for the ticket. */
export function questionsOfCall({requiresReason, hasTicket, hasReason}: Policy): Question[] {
  const reason = requiresReason
    ? text('reason', 'Reason (the profile requires one):')
    : {name: 'reason', text: 'Reason (Enter for none):'}
  return [...(hasTicket ? [] : [{name: 'ticket', text: 'Ticket (Enter for none):'}]), ...(hasReason ? [] : [reason])]
}

/** Asked before the first write of a session, and before each that removes somebody. */
export const profileQuestion = (name: string): Question =>
  text('profile', 'Name of the profile:', {
    above: () => `Profile '${name}' is protected. Type its name to go on.`,
    refuse: (answer) => (answer.trim() === name ? undefined : `That is not '${name}'.`),
    isSafetyWord: true,
  })

/** A call with one more answer. */
export const noted = (call: Call, name: string, answer: string): Call => {
  const {[name as keyof Call]: _, ...others} = call
  return answer.trim() === '' ? others : {...others, [name]: answer.trim()}
}
