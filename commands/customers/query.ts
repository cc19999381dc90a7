import {queryCustomers} from '../../src/api/customers/operations.js'
import {BaseCommand} from '../../src/cli/command/base-command.js'
import {assertedTypes, type Calls} from '../../src/cli/command/operations.js'
import {askQuery} from '../../src/cli/command/query.js'
import {queryFlags} from '../../src/cli/input/flags.js'
import {customerView} from '../../src/cli/output/views.js'

export default class CustomersQuery extends BaseCommand<typeof CustomersQuery> {
  static override operations: Calls = ['queryCustomers', assertedTypes]
  static override summary = 'Find customers by predicates'
  static override description = 'Pass values that you did not write yourself with --var, never inside the predicate.'
  static override examples = [
    "<%= config.bin %> customers query -w 'lastName = :name' --var name=Lovelace",
    "<%= config.bin %> customers query -s 'createdAt desc' -n 5 -o ids",
    '<%= config.bin %> customers query --all -o jsonl',
  ]
  static override flags = queryFlags

  async run(): Promise<void> {
    await askQuery(this, this.output, queryCustomers, customerView)
  }
}
