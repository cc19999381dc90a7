import {Flags} from '@oclif/core'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {type CheckStep, runSteps} from '../../src/cli/check/runner.js'
import {sendCheck} from '../../src/cli/check/send-check.js'
import {type Check, readSuite, type Suite} from '../../src/cli/check/suite.js'
import {calling} from '../../src/cli/command/idle-flags.js'
import {assertedTypes, type Calls} from '../../src/cli/command/operations.js'
import {Assertions, countFault, nothingMatches, parseCountRange, shownValue} from '../../src/cli/input/assertions.js'
import {requiredArg, switchFlag} from '../../src/cli/input/flags.js'
import {valueAt} from '../../src/cli/output/fields.js'
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
  const assertions = new Assertions(texts, {asClient: (work) => work(client)})
  const range = check.expectCount === undefined ? undefined : parseCountRange(check.expectCount)
  const wrongCount = range === undefined || count === undefined ? undefined : countFault(count, range)
  const isEmpty = documents.length === 0 && !assertions.isEmpty
  const failures = wrongCount === undefined ? [] : [wrongCount]
  if (isEmpty && range?.least !== 0) failures.push(`The assertions are false: ${nothingMatches}`)
  for (const [at, document] of documents.entries()) {
    const which = documents.length > 1 ? ` of result ${at}` : ''
    for (const {assertion, path} of await assertions.falseOf(document))
      failures.push(`${assertion}${which} is false: it is ${shownValue(valueAt(masked(document), path))}.`)
  }
  return failures
}

export default class CheckRun extends CheckCommand<typeof CheckRun> {
  static override operations: Calls = [assertedTypes]
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
  static override args = {suite: requiredArg('file of the suite; - reads stdin')}
  static override flags = {
    bail: switchFlag('Stop at the first check that fails.'),
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
