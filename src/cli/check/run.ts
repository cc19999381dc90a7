import type {Client} from '../../client/client.js'
import {checkCount, parseAssertion, parseCountRange} from '../input/assertions.js'
import {cellText, valueAt} from '../output/fields.js'
import {Failure} from '../process/failure.js'
import {type CheckStep, type Run, runSteps} from './runner.js'
import {sendCheck} from './send-check.js'
import type {Check, Suite} from './suite.js'

export interface SuiteOptions {
  /** Stops at the first check that is false. */
  readonly bail: boolean
  readonly repeat: number
  /** A document as the report may show it. */
  readonly masked: (document: unknown) => unknown
}

/** Runs the checks in the order of the file, round after round. */
export const runSuite = (client: Client, suite: Suite, options: SuiteOptions): Promise<Run> =>
  runSteps(rounds(suite, options), client, {stopsAtFailure: options.bail})

function* rounds({checks}: Suite, {repeat, masked}: SuiteOptions): Generator<CheckStep<Client>> {
  for (let round = 1; round <= repeat; round += 1) {
    for (const check of checks) {
      const name = repeat === 1 ? check.name : `${check.name} (round ${round})`
      yield [name, async (client) => ({failures: await failuresOf(client, check, masked)})]
    }
  }
}

async function failuresOf(client: Client, check: Check, masked: SuiteOptions['masked']): Promise<string[]> {
  const {documents, count} = await sendCheck(client, check)
  const texts = check.assert ?? (check.exists ? ['exists = true'] : [])
  const assertions = texts.map(parseAssertion)
  const counted = check.expectCount === undefined || count === undefined ? [] : countFailures(count, check.expectCount)
  return [
    ...counted,
    ...documents.flatMap((document, at) => {
      const which = documents.length > 1 ? ` of result ${at}` : ''
      const shown = masked(document)
      return assertions
        .filter(({path, holds}) => !holds(valueAt(document, path) ?? undefined))
        .map(({text, path}) => `${text}${which} is false: it is ${actual(valueAt(shown, path))}.`)
    }),
  ]
}

const maxShown = 200

function actual(value: unknown): string {
  if (value === undefined || value === null) return 'absent'
  const text = cellText(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function countFailures(count: number, range: string): string[] {
  try {
    checkCount(count, parseCountRange(range))
    return []
  } catch (error) {
    if (error instanceof Failure) return [error.message]
    throw error
  }
}
