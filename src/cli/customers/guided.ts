import * as v from 'valibot'
import {fieldRows} from '../../domain/customers/fields.js'
import {type Asker, upToThreeTimes} from '../input/ask.js'
import {usage} from '../process/failure.js'
import {shellWord} from '../target/command-line.js'
import {unusualNotes} from './draft.js'

/**
 * Prompts for a new customer step by step, and prints the equivalent command. Asks again for what no customer can have, and
 * once for what is probably a mistake: Enter keeps it. The password is asked for later.
 */
export async function guidedDraft(ask: Asker, say: (text: string) => void): Promise<Record<string, unknown>> {
  const draft: Record<string, unknown> = {}
  const flags: string[] = []
  for (const {question, member, flag} of questions) {
    const schema = fieldRows.find(({name}) => name === member)?.schema
    let doubted = ''
    const answer = await upToThreeTimes(async (before) => {
      if (before !== '') say(before.trim())
      const typed = (await ask.text(question, flag, doubted === '' ? undefined : doubted)).trim() || doubted
      if (typed === '' && member !== 'email') return typed
      const parsed = schema === undefined ? undefined : v.safeParse(schema, typed)
      if (parsed?.success === false) throw usage(parsed.issues[0].message)
      const [note] = doubted === '' ? unusualNotes({[member]: typed}) : []
      if (note === undefined) return typed
      doubted = typed
      throw usage(`${note}; Enter keeps it.`)
    })
    if (answer === '') continue
    draft[member] = answer
    flags.push(`${flag} ${shellWord(answer)}`)
  }
  say(`The same without questions: frontdesk customers create ${flags.join(' ')} --password-file FILE`)
  return draft
}

const questions = [
  {question: 'Email:', member: 'email', flag: '--email'},
  {question: 'First name (may stay empty):', member: 'firstName', flag: '--first-name'},
  {question: 'Last name (may stay empty):', member: 'lastName', flag: '--last-name'},
  {question: 'Company (may stay empty):', member: 'companyName', flag: '--company'},
  {question: 'Key, for imports and scripts (may stay empty):', member: 'key', flag: '--key'},
]
