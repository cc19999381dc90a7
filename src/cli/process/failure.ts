import {distance} from 'fastest-levenshtein'
import {Expected} from '../../domain/errors.js'
import {type Ending, exitCodes} from './exit-codes.js'

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

const maxLength = 100

/**
 * Up to three names that begin with or contain what was asked for, or differ from it in at most a third of it; the
 * nearest first. Case does not count.
 */
export function nearest(wanted: string, names: Iterable<string>): readonly string[] {
  const asked = wanted.slice(0, maxLength).toLowerCase()
  if (asked === '') return []
  return [...names]
    .map((name) => ({name, far: stepsTo(name.toLowerCase(), asked)}))
    .filter(({far}) => far < asked.length && far <= Math.max(2, Math.floor(asked.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({name}) => name)
}

const stepsTo = (name: string, asked: string): number =>
  asked.length > 2 && name.includes(asked) ? 0 : distance(asked, name.slice(0, 2 * maxLength))
