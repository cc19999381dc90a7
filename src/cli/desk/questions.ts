import {type Act, type Answers, type Opened, optional, type Question, text} from './act.js'
import type {Call, Policy} from './state.js'

/** Which questions come before an act, and which answers they take. */

/** The questions of a call, asked before its first write and with the key for the ticket. */
export function questionsOfCall({protectedProfile, requiresReason, hasTicket, hasReason}: Policy): Question[] {
  const reason = requiresReason
    ? text('reason', 'Reason (the profile requires one):')
    : optional('reason', 'Reason (Enter for none):')
  return [
    ...(protectedProfile === undefined ? [] : [profileQuestion(protectedProfile)]),
    ...(hasTicket ? [] : [optional('ticket', 'Ticket (Enter for none):')]),
    ...(hasReason ? [] : [reason]),
  ]
}

const profileQuestion = (name: string): Question =>
  text('profile', 'Name of the profile:', {
    above: () => `Profile '${name}' is protected. Type its name to go on.`,
    refuse: (answer) => (answer.trim() === name ? undefined : `That is not '${name}'.`),
  })

/** A call with one more answer. */
export const noted = (call: Call, name: string, answer: string): Call => {
  const {[name as keyof Call]: _, ...others} = call
  return answer.trim() === '' ? others : {...others, [name]: answer.trim()}
}

/** The questions of an act that are still to be asked. */
export const questionsOf = (act: Act, answers: Answers): Question[] =>
  (act.asks ?? []).filter(({when}) => when?.(answers) ?? true)

/** What an answer means: the value behind a key, or the line itself. */
export function meaningOf({options}: Question, answer: string, {customer}: Opened): string {
  const key = answer.trim().toLowerCase()
  return options ? (options(customer).find((one) => one.key === key)?.value ?? key) : answer
}

/** What is wrong with an answer; undefined if nothing is. */
export function refusal({options, refuse}: Question, answer: string, opened: Opened): string | undefined {
  if (!options) return refuse?.(answer, opened)
  const keys = options(opened.customer).map(({key}) => key)
  if (keys.includes(answer.trim().toLowerCase())) return undefined
  return `Press ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}.`
}
