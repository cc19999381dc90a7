import type {ErrorReport} from '../output/error-report.js'
import type {Act, Answers, Opened, Option, Place, Question} from './act.js'

/** What the desk is at, what can happen to it, and what it shows: plain values, so that every call can be replayed. */

/** What is asked once a call and goes with every write of it. */
export interface Call {
  readonly ticket?: string
  readonly reason?: string
  /** The name of the protected profile, as it was typed. */
  readonly profile?: string
}

/** What the target and the flags of the session settle before any call. */
export interface Policy extends Place {
  /** The protected profile whose name must be typed; absent if there is none, or a flag has named it. */
  readonly protectedProfile?: string
  readonly requiresReason: boolean
  /** What flags give for every call of the session. */
  readonly given: Call
  /** Whether flags or variables give them. */
  readonly hasTicket: boolean
  readonly hasReason: boolean
}

/** A customer is open. */
export interface Desk {
  readonly opened: Opened
  readonly call: Call
  /** Whether the questions of the call were asked. */
  readonly isNoted: boolean
  /** What was typed for acts that have not succeeded, by the key of the act. */
  readonly kept: Readonly<Record<string, Answers>>
}

/** An act under way, with what is answered so far. */
export interface Doing extends Desk {
  readonly act: Act
  readonly answers: Answers
}

/** What follows once the customer is read again. */
export type Then =
  | {readonly to: 'card'; readonly result?: Ran; readonly trouble?: ErrorReport}
  | {readonly to: 'repeat'; readonly act: Act; readonly answers: Answers; readonly why: 'moved' | 'open'}

export type State =
  | {readonly at: 'search'; readonly typed: string}
  | {readonly at: 'opening'; readonly id: string; readonly typed: string}
  | ({readonly at: 'rereading'; readonly next: Then} & Desk)
  | ({readonly at: 'card'} & Desk)
  | ({readonly at: 'asking'; readonly left: readonly Question[]; readonly trouble?: string} & Doing)
  /** Ticket, reason and profile; with an act, it follows. */
  | ({readonly at: 'noting'; readonly left: readonly Question[]; readonly act?: Act; readonly trouble?: string} & Desk)
  | ({readonly at: 'acting'} & Doing)
  | ({readonly at: 'repeating'; readonly question: string; readonly trouble?: string} & Doing)
  | {readonly at: 'over'}

/** A command that ran. */
export interface Ran {
  readonly act: Act
  /** Its exit code. */
  readonly code: number
  /** Why it failed; absent if it did not. */
  readonly report?: ErrorReport
  /** A plan only: nothing was sent. */
  readonly isDryRun: boolean
  /** What it printed, redacted. */
  readonly text: string
  /** The command line that does the same. */
  readonly command: string
}

export type Event =
  | {readonly is: 'picked'; readonly id: string; readonly typed: string}
  /** Ctrl-C. */
  | {readonly is: 'back'}
  /** The end of the input, or the wish to end. */
  | {readonly is: 'closed'}
  | {readonly is: 'opened'; readonly opened: Opened}
  | {readonly is: 'missing'}
  | {readonly is: 'failed'; readonly report: ErrorReport}
  /** A key of the menu, or a line of text. */
  | {readonly is: 'typed'; readonly text: string}
  | {readonly is: 'ran'; readonly ran: Ran}

/** What a person sees next, in this order. */
export type Shown =
  | {readonly kind: 'card'; readonly opened: Opened}
  | {readonly kind: 'result'; readonly ran: Ran}
  | {readonly kind: 'trouble'; readonly report: ErrorReport}
  | {readonly kind: 'changes'; readonly before: Opened; readonly after: Opened}
  | {readonly kind: 'note'; readonly text: string}
  /** Takes what was shown once off the screen. */
  | {readonly kind: 'clear'}

/** What is printed. */
export type Block = Exclude<Shown, {kind: 'clear'}>

export interface Session {
  readonly state: State
  /** Whether the last thing a person did was to go back: once more ends the session. */
  readonly isLeaving: boolean
  /** Whether a secret is on the screen. */
  readonly holdsSecret: boolean
}

export interface Step {
  readonly session: Session
  readonly shown: readonly Shown[]
}

/** Yes or no, by key. */
export const yesOrNo: readonly Option[] = [
  {key: 'y', label: 'yes'},
  {key: 'n', label: 'no'},
]
