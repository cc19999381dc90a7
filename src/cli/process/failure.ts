import {nearest} from '../../deprecations/nearest.js'
import {type Ending, exitCodes} from './exit-codes.js'

export interface FailureOptions extends ErrorOptions {
  /** What to do about it, each an imperative sentence. */
  readonly hints?: readonly (string | undefined)[]
  /** Further facts for programs: one object per problem. */
  readonly details?: readonly unknown[]
  /** What programs find beside the members that every failure has. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly statusCode?: number | undefined
  readonly correlationId?: string | undefined
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
  readonly statusCode: number | undefined
  readonly correlationId: string | undefined

  constructor(ending: Ending, code: string, message: string, options: FailureOptions = {}) {
    super(message, options)
    this.code = code
    this.ending = ending
    this.hints = (options.hints ?? []).filter((hint) => hint !== undefined)
    this.details = options.details ?? []
    this.more = options.more ?? {}
    this.statusCode = options.statusCode
    this.correlationId = options.correlationId
  }

  get exitCode(): number {
    return exitCodes[this.ending].code
  }
}

/** A mistake in how the command was called: exit code 2. */
export const usage = (message: string, ...hints: readonly (string | undefined)[]): Failure =>
  new Failure('usage', 'Usage', message, {hints})

/** A value that the API would refuse, noticed before sending: exit code 6. */
export const invalidValue = (message: string, ...hints: readonly (string | undefined)[]): Failure =>
  new Failure('invalid', 'InvalidValue', message, {hints})

/** A question about names that may have been meant; undefined without any. */
export const meansOneOf = (names: Iterable<string>): string | undefined => {
  const all = [...new Set(names)]
  return all.length === 0 ? undefined : `Did you mean ${all.join(' or ')}?`
}

/** A question about the known names that are spelled nearly as a word; undefined without any. */
export const didYouMean = (word: string, known: Iterable<string>): string | undefined =>
  meansOneOf(nearest(word, known))
