import {queryCustomers} from '../../client/operations/customers.js'
import {QueryCommand} from '../query-command.js'
import {customerView} from '../views.js'

/** A query of customers. */
export abstract class CustomerQuery extends QueryCommand {
  protected readonly operation = queryCustomers
  protected readonly view = customerView
}
