import {defined} from '../../domain/equal.js'
import {type Environment, variable} from '../process/io.js'
import type {Run} from '../run/run.js'
import type {CallerField} from '../target/caller-fields.js'
import type {ResolvedTarget} from '../target/target.js'
import {type Act, type Opened, type Question, text, typed} from './act.js'
import {comparison, valuesOf} from './caller-check.js'
import type {Dialogue} from './dialogue.js'
import type {Call, Service} from './service.js'

/** What the target and the flags of the session settle before any call. */
export type Policy = ReturnType<typeof policyOf>

export function policyOf(
  {profile, label, origins}: ResolvedTarget,
  flags: Run['flags'],
  env: Environment,
  callerFields: readonly CallerField[],
) {
  const name = origins.get('profile')?.value ?? label
  const asks = profile.protected === true && flags['confirm-profile'] === undefined
  return {
    /** The protected profile whose name must be typed; undefined if there is none, or a flag has named it. */
    protectedProfile: asks ? name : undefined,
    /** What flags give for every call of the session. */
    given: defined({ticket: flags.ticket, reason: flags.reason}) as Call,
    requiresReason: profile.requireReason === true,
    callerFields,
    hasTicket: (flags.ticket ?? variable(env, 'FRONTDESK_TICKET')) !== undefined,
    hasReason: (flags.reason ?? variable(env, 'FRONTDESK_REASON')) !== undefined,
    /** Nothing is sent, so that nothing is noted. */
    isDryRun: flags['dry-run'] === true,
  }
}

export interface Noting {
  opened: Opened
  call: Call
  isNoted: boolean
}

/** What is remembered from call to call. */
export interface Session {
  /** The name of the protected profile, once it was typed. */
  profile?: string
  /** Notes what the present call is about; absent where nothing is said of it, or a write says it. */
  owed?: (() => void) | undefined
}

export interface NotingOptions {
  readonly policy: Policy
  readonly dialogue: Dialogue
  readonly service: Service
  readonly session: Session
}

/** So many wrong answers end a call. */
const maxMisses = 3

/**
 * Asks what the caller is to be asked, and before a write for the protected profile, once a session and before each
 * removal, and for ticket and reason.
 */
export async function prepared({reads, removes, creates}: Act, phone: Noting, options: NotingOptions): Promise<void> {
  if (!creates) await checkCaller(phone, options)
  const {policy, session, dialogue} = options
  if (reads || policy.isDryRun) return
  const {protectedProfile} = policy
  if (protectedProfile !== undefined && (session.profile === undefined || removes))
    session.profile = (await dialogue.ask(profileQuestion(protectedProfile), phone.opened)).trim()
  if (session.profile !== undefined) phone.call = {...phone.call, profile: session.profile}
  if (!phone.isNoted) await note(phone, policy, options)
}

/** Asks what was not asked in this call, and shows the card with it. Too many wrong answers end the call; all are noted. */
export async function checkCaller(phone: Noting, {policy, dialogue, service}: NotingOptions): Promise<void> {
  if (phone.call.checked !== undefined || policy.callerFields.length === 0) return
  const {customer} = phone.opened
  const isSaid = await comparison()
  const checked: string[] = []
  const missed = new Set<string>()
  let misses = 0
  const noted = (isPassed: boolean): boolean => {
    const report = service.noteCheck(phone.opened, {checked, missed: [...missed], isPassed}, phone.call)
    if (report) dialogue.show({kind: 'trouble', report})
    return report === undefined
  }
  for (const field of policy.callerFields) {
    const values = valuesOf(field, customer)
    if (values.length === 0) {
      dialogue.say(`The account has no ${field.label} to compare.`)
      continue
    }
    const refuse = (typed: string): string | undefined => {
      if (typed.trim() === '') return 'Nothing was typed.'
      if (isSaid(field, typed, values)) return undefined
      misses += 1
      missed.add(field.name)
      if (misses < maxMisses) return 'That is not what the account has.'
      dialogue.say(`${maxMisses} answers are not what the account has: this call ends.`)
      return dialogue.leave()
    }
    try {
      await dialogue.ask(text(field.name, `Caller's ${field.label}:`, {refuse, isSafetyWord: true}), phone.opened)
    } catch (error) {
      if (missed.size > 0) noted(false)
      throw error
    }
    checked.push(field.name)
  }
  // What cannot be noted is not shown.
  if (checked.length > 0 && !noted(true)) dialogue.leave()
  phone.call = {...phone.call, checked: checked.join(' ')}
  if (checked.length === 0) return
  const opened = await dialogue.during('reading the card', service.open(customer.id, true))
  if (opened === undefined || !('customer' in opened)) return
  phone.opened = opened
  dialogue.say('The caller said what the account has.')
  dialogue.show({kind: 'card', opened})
}

/** Asks for ticket and reason. Until a write says them, the call owes a note of its own. */
export async function note(
  phone: Noting,
  policy: Policy,
  {dialogue, service, session}: Omit<NotingOptions, 'policy'>,
): Promise<void> {
  const asks = questionsOfCall(policy)
  const answers = await dialogue.answersTo({asks}, phone.opened, {before: {...phone.call}})
  const said = Object.fromEntries(asks.map(({name}) => [name, typed(answers, name) || undefined]))
  phone.call = defined({...phone.call, ...said})
  phone.isNoted = true
  const {opened, call} = phone
  session.owed = Object.values(said).some((one) => one !== undefined)
    ? () => {
        session.owed = undefined
        const report = service.noteCall(opened, call)
        if (report) dialogue.show({kind: 'trouble', report})
      }
    : undefined
}

/** The questions of a call, asked before its first write and with the key for the ticket. */
function questionsOfCall({requiresReason, hasTicket, hasReason}: Policy): Question[] {
  const reason = requiresReason
    ? text('reason', 'Reason (the profile requires one):')
    : {name: 'reason', text: 'Reason (Enter for none):'}
  return [...(hasTicket ? [] : [{name: 'ticket', text: 'Ticket (Enter for none):'}]), ...(hasReason ? [] : [reason])]
}

/** Asked before the first write of a session, and before each that removes somebody. */
const profileQuestion = (name: string): Question =>
  text('profile', 'Name of the profile:', {
    above: () => `Profile '${name}' is protected. Type its name to go on.`,
    refuse: (answer) => (answer.trim() === name ? undefined : `That is not '${name}'.`),
    isSafetyWord: true,
  })
