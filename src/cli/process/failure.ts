import {type Ending, exitCodes} from './exit-codes.js'

export interface FailureOptions extends ErrorOptions {
  /** What to do about it, each an imperative sentence. */
  readonly hints?: readonly string[]
  /** Further facts for programs: one object per problem. */
  readonly details?: readonly unknown[]
  /** What programs find beside the members that every failure has. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly statusCode?: number
  readonly correlationId?: string
}

/** An expected failure of a command, with its exit code. Commands throw it; `error-report.ts` prints it. */
export class Failure extends Error {
  override readonly name = 'Failure'
  /** A stable name for programs, such as `ReferenceAmbiguous`. */
  readonly code: string
  readonly ending: Ending
  readonly hints: readonly string[]
  readonly details: readonly unknown[]
  readonly more: Readonly<Record<string, unknown>>
  readonly statusCode?: number
  readonly correlationId?: string

  constructor(ending: Ending, code: string, message: string, options: FailureOptions = {}) {
    super(message, options)
    this.code = code
    this.ending = ending
    this.hints = options.hints ?? []
    this.details = options.details ?? []
    this.more = options.more ?? {}
    if (options.statusCode !== undefined) this.statusCode = options.statusCode
    if (options.correlationId !== undefined) this.correlationId = options.correlationId
  }

  get exitCode(): number {
    return exitCodes[this.ending].code
  }
}

/** A mistake in how the command was called: exit code 2. */
export const usage = (message: string, ...hints: readonly string[]): Failure =>
  new Failure('usage', 'Usage', message, {hints})

/** A value that the API would refuse, noticed before sending: exit code 6. */
export const invalidValue = (message: string, ...hints: readonly string[]): Failure =>
  new Failure('invalid', 'InvalidValue', message, {hints})
