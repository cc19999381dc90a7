import type {Calls} from '../../src/cli/command/operations.js'
import {CustomerQuery} from '../../src/cli/customers/query.js'

export default class CustomersQuery extends CustomerQuery {
  static override operations: Calls = ['queryCustomers']
  static override summary = 'Find customers by predicates'
  static override description = 'Pass values that you did not write yourself with --var, never inside the predicate.'
  static override examples = [
    "<%= config.bin %> customers query -w 'lastName = :name' --var name=Lovelace",
    "<%= config.bin %> customers query -s 'createdAt desc' -n 5 -o ids",
    '<%= config.bin %> customers query --all -o jsonl',
  ]
}
