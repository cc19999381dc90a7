import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {Planned} from '../plan/plan.js'
import {allCustomers, type ReadOptions} from './all-customers.js'

/** Finds the customers of a project that no row of a run means. Keeps the ids of those that rows mean. */
export class ExtraCustomers {
  readonly #meant = new Set<string>()

  /** To be called with every planned row of the run, also with those that change nothing. */
  note(planned: Planned): void {
    if (planned.kind === 'conflict') for (const {id} of planned.found ?? []) this.#meant.add(id)
    else if ('current' in planned) this.#meant.add(planned.current.id)
  }

  /** Of the customers that satisfy the predicates those that only the project has, in the order of ids. */
  async *in(client: Client, options: ReadOptions): AsyncGenerator<Customer> {
    for await (const customer of allCustomers(client, options)) if (!this.#meant.has(customer.id)) yield customer
  }
}
