import {queryCustomers} from '../../api/customers/operations.js'
import {QueryCommand} from '../command/query-command.js'
import {customerView} from '../output/views.js'

/** A query of customers. */
export abstract class CustomerQuery extends QueryCommand {
  protected readonly operation = queryCustomers
  protected readonly view = customerView
}
