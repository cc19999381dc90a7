import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {CardSection} from '../customers/card.js'
import {textAt} from '../output/fields.js'

/** What an act of the desk is made of: a letter, the questions it asks, and the command line that it runs. */

/** The customer of the call, as last read. */
export interface Opened {
  readonly customer: Customer
  /** Name and email as they may be shown. */
  readonly name: string
  /** What people type for this customer: `key=…`, or the id. */
  readonly ref: string
  /** What is said before a way in is made, if the email was changed lately or nobody can tell. */
  readonly emailWarning?: string
  /** The card hides what the caller is to be asked. */
  readonly hidesFields?: true
  /** What the card tells, redacted; `details` also has versions and ids of machines. */
  readonly card: readonly CardSection[]
  readonly details: readonly CardSection[]
}

/** What was answered, by the name of the question. */
export type Answers = Readonly<Record<string, string>>

/** An answer that is one key. */
export interface Option {
  readonly key: string
  readonly label: string
  /** What the answer is; the key if absent. */
  readonly value?: string
  /** What is shown before it is acted on. */
  readonly above?: readonly string[]
}

export interface Question {
  readonly name: string
  readonly text: string
  /** What a person should know before, on separate lines. */
  readonly above?: (opened: Opened) => string
  /** What the answer is at first, to be changed or taken as it is. */
  readonly initial?: (customer: Customer, answers: Answers) => string | undefined
  /** The keys to choose from; absent or empty: a line of text. */
  readonly options?: (customer: Customer, offered: readonly Option[]) => readonly Option[]
  /** What an answer means, if that is not the answer itself. */
  readonly meaning?: (answer: string, answers: Answers) => Promise<string>
  /** What is wrong with an answer, as a sentence; undefined if nothing is. */
  readonly refuse?: (answer: string, opened: Opened, answers: Answers) => string | undefined
  /** Whether it is asked at all, after what was answered before. */
  readonly when?: (answers: Answers) => boolean
  /** Confirms something, so that it is typed each time and never offered. */
  readonly isSafetyWord?: true
}

export type Offers = (client: Client, customer: Customer, now: number) => Promise<readonly Option[]>

export interface Act {
  readonly key: string
  readonly label: string
  /** What it does, for help and docs. */
  readonly about: string
  readonly command: string
  /** It only reads. Before any other act the ticket and the reason of the call are noted, and afterwards the card is read again. */
  readonly reads?: true
  /** What the target has to choose from. */
  readonly offers?: Offers
  readonly asks?: readonly Question[]
  /** The question before an act that cannot be taken back, with the name of the person; undefined for none. */
  readonly confirms?: (opened: Opened, answers: Answers) => string | undefined
  /** The command line without `frontdesk`, for a reference to the customer; empty where nothing is to be done. */
  readonly words: (ref: string, customer: Customer, answers: Answers) => readonly string[]
  /** Why the act makes no sense for this customer; undefined if it does. */
  readonly unfit?: (customer: Customer) => string | undefined
  /** It runs with a token of the customer, so that it cannot share the connection of the session. */
  readonly actsAsCustomer?: true
  /** What is said in place of what the command prints, where that is nothing for the desk. */
  readonly says?: (opened: Opened) => string
  /** What is said in place of a table without rows. */
  readonly none?: string
  /** Its result shows a secret once, which the next customer must not find on the screen. */
  readonly showsSecret?: true
  /** What may follow its result: an option chosen by its key at the card, and the act that takes it as `assignment`. */
  readonly next?: {readonly act: Act; readonly offers: Offers; readonly title: string}
  /** The customer is gone afterwards, so that the name of a protected profile is typed once more. */
  readonly removes?: true
  /** Makes a customer, who is opened afterwards: the email. */
  readonly creates?: (answers: Answers) => string
}

/** A required line of text. */
export const text = (name: string, label: string, more: Partial<Question> = {}): Question => ({
  name,
  text: label,
  refuse: (answer) => (answer.trim() === '' ? 'Nothing was typed.' : undefined),
  ...more,
})

/** Sets a member, or empties it. */
export const assignment = (path: string, value: string): readonly string[] =>
  value === '' ? ['--unset', path] : ['--set', `${path}=${value}`]

/** What was typed as the answer to a question; empty if it was not asked. */
export const typed = (answers: Answers, name: string): string => (answers[name] ?? '').trim()

/** Assignments of the answers that differ from the members of their names, below a prefix. */
export const assigned = (holder: object, answers: Answers, prefix = ''): readonly string[] =>
  Object.keys(answers).flatMap((name) => {
    const value = typed(answers, name)
    return value === textAt(holder, name) ? [] : assignment(`${prefix}${name}`, value)
  })

/** One key for each entry of a list. */
export const listKeys = '123456789abcdefghijklmnopqrstuvwxyz'

/** What an act that updates the customer says of itself, and the flags of its change; none where nothing is to change. */
type UpdateAct = Omit<Act, 'command' | 'words'> & {
  readonly changes: (customer: Customer, answers: Answers) => readonly string[]
}

/** An update at the version that the card shows: what somebody else changed meanwhile is not overwritten unseen. */
export const updateAct = ({changes, ...act}: UpdateAct): Act => ({
  ...act,
  command: 'customers update',
  words: (ref, customer, answers) => {
    const changed = changes(customer, answers)
    return changed.length === 0 ? [] : ['customers', 'update', ref, ...changed, '--version', `${customer.version}`]
  },
})
