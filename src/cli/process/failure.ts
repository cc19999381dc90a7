import {Expected} from '../../domain/errors.js'
import {type Ending, exitCodes} from './exit-codes.js'
import {nearest} from './nearest.js'

/** An expected failure of a command, with its exit code. Commands throw it; `error-report.ts` prints it. */
export class Failure extends Expected<Ending> {
  override readonly name = 'Failure'
  declare readonly ending: Ending

  get exitCode(): number {
    return exitCodes[this.ending].code
  }
}

/** The code of a question that was answered with no, which is no error. */
export const notConfirmed = 'NotConfirmed'

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
