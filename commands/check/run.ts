import {Args, Flags} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {type CheckStep, runSteps} from '../../src/cli/check/runner.js'
import {sendCheck} from '../../src/cli/check/send-check.js'
import {type Check, readSuite, type Suite} from '../../src/cli/check/suite.js'
import {calling} from '../../src/cli/command/idle-flags.js'
import {checkCount, nothingMatches, parseAssertion, parseCountRange} from '../../src/cli/input/assertions.js'
import {cellText, valueAt} from '../../src/cli/output/fields.js'
import {Failure} from '../../src/cli/process/failure.js'
import type {Client} from '../../src/client/client.js'

type Masked = (document: unknown) => unknown

/** The checks in the order of the file, round after round; `masked`: a document as the report may show it. */
function* rounds({checks}: Suite, repeat: number, masked: Masked): Generator<CheckStep<Client>> {
  for (let round = 1; round <= repeat; round += 1) {
    for (const check of checks) {
      const name = repeat === 1 ? check.name : `${check.name} (round ${round})`
      yield [name, async (client, fail) => (await failuresOf(client, check, masked)).forEach(fail)]
    }
  }
}

async function failuresOf(client: Client, check: Check, masked: Masked): Promise<string[]> {
  const {documents, count} = await sendCheck(client, check)
  const texts = check.assert ?? (check.exists ? ['exists = true'] : [])
  const assertions = texts.map(parseAssertion)
  const counted = check.expectCount === undefined || count === undefined ? [] : countFailures(count, check.expectCount)
  const isEmpty = documents.length === 0 && assertions.length > 0
  const mayBeEmpty = check.expectCount !== undefined && parseCountRange(check.expectCount).least === 0
  return [
    ...counted,
    ...(isEmpty && !mayBeEmpty ? [`The assertions are false: ${nothingMatches}`] : []),
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

export default class CheckRun extends CheckCommand<typeof CheckRun> {
  static override uses = calling
  static override summary = 'Run a suite of checks from a file'
  static override description =
    `A suite is JSON: {"name", "checks": [{"name", and one of "query", "get", "exists" or "raw", "assert": [as for
--assert], "expectCount": as for --expect-count, "expectStatus": of a raw GET}]}. Only reads are sent. An assertion on a
query must hold for every result, and for at least one unless expectCount allows 0. Ends with code 9 if a check fails, with 7 if the target gives no answer, and with 2 if the file is not a suite.`
  static override examples = [
    '<%= config.bin %> check run fixtures/checks/staging.json',
    '<%= config.bin %> check run fixtures/checks/staging.json --reporter junit --bail',
  ]
  static override args = {
    suite: Args.string({required: true, ignoreStdin: true, description: 'file of the suite; - reads stdin'}),
  }
  static override flags = {
    bail: Flags.boolean({summary: 'Stop at the first check that fails.'}),
    repeat: Flags.integer({helpValue: 'N', min: 1, max: 1000, default: 1, summary: 'Run everything N times.'}),
  }

  async run(): Promise<void> {
    const {bail, repeat} = this.flags
    const suite = await readSuite(this.args.suite, this.io)
    const steps = rounds(suite, repeat, (document) => this.output.masked(document))
    const run = await runSteps(steps, await this.client(), {stopsAtFailure: bail})
    await this.report(suite.name ?? this.args.suite, run)
  }
}
