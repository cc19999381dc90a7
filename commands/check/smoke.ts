import {randomUUID} from 'node:crypto'
import {CheckCommand} from '../../src/cli/check/check-command.js'
import {type SmokeRun, smokeLife, smokeReads} from '../../src/cli/check/smoke.js'
import {refuseInReading} from '../../src/cli/command/idle-flags.js'
import {smokeCalls} from '../../src/cli/command/operations.js'
import {switchFlag, writeFlags} from '../../src/cli/input/flags.js'

export default class CheckSmoke extends CheckCommand<typeof CheckSmoke> {
  static override operations = smokeCalls
  static override summary = 'Check a project with a temporary customer'
  static override description =
    'Creates a customer, reads and changes it, resets its password, signs in, and deletes it, also if a step fails. With --read-only it only reads customers and messages. Ends with code 9 if a step fails.'
  static override examples = [
    '<%= config.bin %> check smoke',
    '<%= config.bin %> check smoke --read-only --reporter github',
  ]
  static override flags = {
    'read-only': switchFlag('Only read: customers and messages.'),
    ...writeFlags,
  }

  async run(): Promise<void> {
    if (this.flags['read-only']) {
      refuseInReading(this.given, '--read-only')
      await this.report('smoke, reads only', await smokeReads(await this.client()))
      return
    }
    const actions = ['signUp', 'update', 'resetPassword', 'signIn', 'delete']
    const key = `smoke-${randomUUID()}`
    const look = this.commandLine(['customers', 'exists', `key=${key}`])
    const living = {clock: this.io.clock, repeats: this.repeats, look}
    const run = await this.effect({
      at: 'target',
      plan: () => [{}, 'would make, change and delete a customer'],
      act: async (write) => {
        const client = await this.client()
        return write({
          target: `key=${key}`,
          actions,
          request: () => smokeLife(client, key, living),
          settle: 'by itself',
          outcome: smokeOutcome,
        })
      },
    })
    if (!run) return
    if (run.isOpen) this.stderr(`Check that the customer was deleted: ${look}`)
    await this.report('smoke', run)
    if (run.isOpen) this.endWith('unknownOutcome')
  }
}

function smokeOutcome({checks, isOpen}: SmokeRun): string {
  if (isOpen) return 'unknown'
  return checks.every(({result}) => result === 'passed') ? 'done' : 'CheckFailed'
}
