import type {Act, Opened} from './act.js'
import type {Dialogue} from './dialogue.js'
import {type Call, noted, type Policy, profileQuestion, questionsOfCall} from './policy.js'

/** What a person is asked for before a write, whatever the act. */

/** What is noted of the call with a customer. */
export interface Noting {
  opened: Opened
  call: Call
  isNoted: boolean
}

/** Asks before a write for the protected profile, once a session and before each removal, and for ticket and reason. */
export async function prepared(
  {reads, removes}: Act,
  phone: Noting,
  {policy, session, dialogue}: {policy: Policy; session: {profile?: string}; dialogue: Dialogue},
): Promise<void> {
  if (reads || policy.isDryRun) return
  const {protectedProfile} = policy
  if (protectedProfile !== undefined && (session.profile === undefined || removes))
    session.profile = (await dialogue.ask(profileQuestion(protectedProfile), phone.opened)).trim()
  if (session.profile !== undefined) phone.call = {...phone.call, profile: session.profile}
  if (!phone.isNoted) await note(phone, policy, dialogue)
}

/** Asks for ticket and reason. */
export async function note(phone: Noting, policy: Policy, dialogue: Dialogue): Promise<void> {
  for (const question of questionsOfCall(policy)) {
    const initial = phone.call[question.name as keyof Call] ?? ''
    phone.call = noted(phone.call, question.name, await dialogue.ask(question, phone.opened, {initial}))
  }
  phone.isNoted = true
}
