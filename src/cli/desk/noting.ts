import {type Act, type Opened, text} from './act.js'
import {comparison, valuesOf} from './caller-check.js'
import type {Dialogue} from './dialogue.js'
import {type Call, noted, type Policy, profileQuestion, questionsOfCall} from './policy.js'
import type {Service} from './service.js'

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
  phone.call = asks.reduce((call, {name}) => noted(call, name, answers[name] ?? ''), phone.call)
  phone.isNoted = true
  const {opened, call} = phone
  const isSaid = asks.some(({name}) => (answers[name] ?? '').trim() !== '')
  session.owed = isSaid
    ? () => {
        session.owed = undefined
        const report = service.noteCall(opened, call)
        if (report) dialogue.show({kind: 'trouble', report})
      }
    : undefined
}
