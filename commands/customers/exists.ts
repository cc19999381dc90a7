import {BaseCommand} from '../../src/cli/command/base-command.js'
import {anyCustomer, customerExists} from '../../src/cli/customers/calls.js'
import {optionalArg, whereFlags} from '../../src/cli/input/flags.js'
import {whereOf} from '../../src/cli/input/query-options.js'
import {parseRef} from '../../src/cli/input/refs.js'
import {usage} from '../../src/cli/process/failure.js'

export default class CustomersExists extends BaseCommand<typeof CustomersExists> {
  static override operations = [
    ...(['customerExistsById', 'customerExistsByKey', 'customerExistsByQuery'] as const),
    {operations: ['getCustomerById', 'getCustomerByKey', 'queryCustomers'], when: 'an error, for its reason'},
  ] as const
  static override summary = 'Check whether a customer exists'
  static override description = 'Ends with code 0 if there is one, and with 3 if not. Shows no data of the customer.'
  static override examples = [
    '<%= config.bin %> customers exists key=ada',
    "<%= config.bin %> customers exists -w 'lastName = :name' --var name=Lovelace --json",
  ]
  static override args = {ref: optionalArg('a customer, instead of --where')}
  static override flags = whereFlags

  async run(): Promise<void> {
    const {ref} = this.args
    const {where} = this.flags
    if ((ref === undefined) === (where === undefined)) throw usage('Give either a customer or --where.')
    const client = await this.client()
    const exists =
      ref === undefined ? await anyCustomer(client, whereOf(this.flags)) : await customerExists(client, parseRef(ref))
    await this.output.answer({exists}, exists ? 'exists' : 'does not exist')
    if (!exists) this.endWith('notFound')
  }
}
