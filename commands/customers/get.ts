import {BaseCommand} from '../../src/cli/command/base-command.js'
import {assertedTypes, type Calls, customerReads} from '../../src/cli/command/operations.js'
import {customerOf} from '../../src/cli/customers/calls.js'
import {Assertions} from '../../src/cli/input/assertions.js'
import {readFlags} from '../../src/cli/input/flags.js'
import {parseRefs, refsArg} from '../../src/cli/input/refs.js'
import {customerView} from '../../src/cli/output/views.js'

export default class CustomersGet extends BaseCommand<typeof CustomersGet> {
  static override operations: Calls = [...customerReads, assertedTypes]
  static override summary = 'Show customers'
  static override description =
    'With --json, one customer is printed as the document itself, several as a page of results.'
  static override examples = [
    '<%= config.bin %> customers get key=ada',
    '<%= config.bin %> customers get ada@example.com --expand customerGroup -o json',
    "<%= config.bin %> customers get number=1001 --assert 'isEmailVerified = true'",
  ]
  static override args = {ref: refsArg('a customer')}
  static override flags = readFlags

  async run(): Promise<void> {
    const refs = await parseRefs(this.args.ref, this.io)
    const assertions = new Assertions(this.flags.assert, this)
    const client = await this.client()
    const results = []
    for (const ref of refs) {
      const customer = await customerOf(client, ref, {...this.flags, asking: this.asking})
      await assertions.check(customer)
      results.push(customer)
    }
    const [only] = results
    if (only && results.length === 1 && !this.args.ref.includes('-')) await this.output.document(only, customerView)
    else await this.output.page({count: results.length, results}, customerView)
  }
}
