import {Args, Flags} from '@oclif/core'
import {pageFlags} from '../../src/cli/bulk/flags.js'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {runSuite} from '../../src/cli/check/run.js'
import {readSuite} from '../../src/cli/check/suite.js'

export default class CheckRun extends CheckCommand<typeof CheckRun> {
  static override summary = 'Run a suite of checks from a file'
  static override description =
    `A suite is JSON: {"name", "checks": [{"name", and one of "query", "get", "exists" or "raw", "assert": [as for
--assert], "expectCount": as for --expect-count, "expectStatus": of a raw GET}]}. Only reads are sent. An assertion on a
query must hold for every result. Ends with code 9 if a check fails, and with 2 if the file is not a suite.`
  static override examples = [
    '<%= config.bin %> check run fixtures/checks/staging.json',
    '<%= config.bin %> check run fixtures/checks/staging.json --report checks.html',
    '<%= config.bin %> check run fixtures/checks/staging.json --reporter junit --bail',
  ]
  static override args = {
    suite: Args.string({required: true, ignoreStdin: true, description: 'file of the suite; - reads stdin'}),
  }
  static override flags = {
    ...pageFlags,
    bail: Flags.boolean({summary: 'Stop at the first check that fails.'}),
    repeat: Flags.integer({helpValue: 'N', min: 1, max: 1000, default: 1, summary: 'Run everything N times.'}),
  }

  async run(): Promise<void> {
    const {bail, repeat} = this.flags
    const suite = await readSuite(this.args.suite, this.io)
    const {output} = this
    const client = await this.client()
    const masked = (document: unknown) => output.masked(document)
    await this.report(suite.name ?? this.args.suite, await runSuite(client, suite, {bail, repeat, masked}))
  }
}
