import type {Answers, Opened, Option} from '../../../src/cli/desk/act.js'
import {conversing} from '../../../src/cli/desk/conversation.js'
import type {Policy} from '../../../src/cli/desk/noting.js'
import type {Prompter} from '../../../src/cli/desk/prompter.js'
import type {Call, CallerCheck, Ran, Service} from '../../../src/cli/desk/service.js'
import type {Block} from '../../../src/cli/desk/shown.js'
import {Closed, WentBack} from '../../../src/cli/input/keys.js'
import type {ErrorReport} from '../../../src/cli/output/error-report.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {scripted} from '../run.js'

/** Conversations with a person who answers from a list and a service that answers from another. */

export const customerWith = (over: Partial<Customer> = {}): Customer => ({
  id: '1a6d66fe-b045-4294-88fa-3a4ddaf9d263',
  version: 3,
  createdAt: '2026-01-12T10:00:00.000Z',
  versionModifiedAt: '2026-01-12T10:00:00.000Z',
  lastModifiedAt: '2026-01-12T10:00:00.000Z',
  email: 'hazel@example.com',
  firstName: 'Hazel',
  lastName: 'Brandvold',
  addresses: [],
  shippingAddressIds: [],
  billingAddressIds: [],
  authenticationMode: 'Password',
  isEmailVerified: false,
  stores: [],
  customerGroupAssignments: [],
  ...over,
})

export const openedWith = (over: Partial<Customer> = {}): Opened => ({
  customer: customerWith(over),
  name: 'Hazel Brandvold <hazel@example.com>',
  ref: 'key=hazel',
  card: [['', ['Hazel Brandvold']]],
  details: [],
})

export const plain: Policy = {
  ...{given: {}, requiresReason: false, hasTicket: true, hasReason: true, isDryRun: false},
  ...{callerFields: [], protectedProfile: undefined},
}
export const asks: Policy = {...plain, hasTicket: false, hasReason: false}

export const report = (code: string, exitCode: number): ErrorReport => ({
  code,
  exitCode,
  message: 'it failed',
  hints: [],
  details: [],
})

/** Keys that are no text. */
export const [enter, esc, ctrlC] = ['<enter>', '<esc>', '<ctrl-c>']

/** An act that was run, with what it was given. */
interface RunAct {
  readonly key: string
  readonly answers: Answers
  readonly call: Call
  readonly words: readonly string[]
}

export interface Course {
  /** Every question: its text, with what it offers in brackets. */
  readonly asked: readonly string[]
  readonly ran: readonly RunAct[]
  readonly shown: readonly Block[]
  /** Kinds of what was shown, and `clear` where the screen was cleared. */
  readonly kinds: readonly string[]
  readonly checks: readonly CallerCheck[]
  /** The notes of calls that no write carried. */
  readonly notes: readonly (Call & {readonly target: string})[]
}

export interface Script {
  readonly policy?: Policy
  /** What the service finds at each reading of the customer; the same one for ever where the list ends. */
  readonly opens?: readonly (Opened | ErrorReport | undefined)[]
  /** How each act ends; well where the list ends. */
  readonly ends?: readonly ErrorReport[]
  /** What the target has to choose from. */
  readonly offers?: readonly Option[]
}

/** Holds a conversation. `typed` answers the questions one by one; at its end the person hangs up. */
export async function courseOf(typed: readonly string[], script: Script = {}): Promise<Course> {
  const {policy = plain, opens = [], ends = []} = script
  const asked: string[] = []
  const ran: RunAct[] = []
  const shown: Block[] = []
  const kinds: string[] = []
  const [answers, readings, outcomes] = [[...typed], [...opens], [...ends]]
  const next = async (question: string): Promise<string> => {
    asked.push(question)
    const answer = answers.shift()
    if (answer === undefined) throw new Closed()
    if (answer === ctrlC) throw new WentBack()
    return answer
  }
  const prompter: Prompter = {
    prompts: scripted([]),
    search: async ({message, typed: text}) => ({id: await next(`${message} [${text}]`), typed: 'haz'}),
    command: next,
    key: next,
    confirm: async (question) => {
      const answer = await next(question)
      return answer === enter ? true : answer === esc ? false : answer
    },
    line: async (message) => {
      const answer = await next(message.endsWith(']') ? message : `${message} []`)
      return answer === enter ? '' : answer
    },
    print: () => undefined,
    clear: () => void kinds.push('clear'),
    waiting: () => () => undefined,
    close: () => undefined,
  }
  const checks: CallerCheck[] = []
  const notes: Course['notes'][number][] = []
  const service: Service = {
    log: [],
    find: () => Promise.resolve({found: []}),
    open: () => Promise.resolve(readings.length > 0 ? readings.shift() : openedWith()),
    offers: () => Promise.resolve(script.offers ?? []),
    noteCheck: (_, check) => {
      checks.push(check)
      return undefined
    },
    noteCall: ({customer}, call) => {
      notes.push({...call, target: customer.id})
      return undefined
    },
    run: (act, {opened, answers: given}, call, onIntent) => {
      if (!act.reads) onIntent?.()
      ran.push({key: act.key, answers: given, call, words: act.words('id', opened.customer, given)})
      const failure = outcomes.shift()
      const ended = {act, code: failure?.exitCode ?? 0, text: 'done', command: 'frontdesk …'}
      return Promise.resolve<Ran>(failure ? {...ended, report: failure} : ended)
    },
  }
  const textOf = (block: Block): string => {
    shown.push(block)
    kinds.push(block.kind)
    return ''
  }
  await conversing({prompter, service, policy, textOf, shown: (text) => text, menuOf: () => ''}).hold('')
  return {asked, ran, shown, kinds, checks, notes}
}
