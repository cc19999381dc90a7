import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type {Asking} from '../input/ask.js'
import {type Ref, refText} from '../input/refs.js'
import {valueAt} from '../output/fields.js'
import {nameOf, personOf} from '../output/views.js'
import {Failure} from '../process/failure.js'

/** What tells candidates apart, for the details of an error, which lists them. */
export const candidateOf = (customer: Customer) => ({
  id: customer.id,
  ...defined({key: customer.key}),
  stores: customer.stores,
  name: nameOf(customer) || (customer.companyName ?? ''),
})

export const severalHave = (found: readonly Customer[], ref: Ref): Failure =>
  new Failure('conflict', 'ReferenceAmbiguous', `Several customers have ${refText(ref)}.`, {
    hints: ['Choose a store with --store KEY, or use an id or key.'],
    details: found.map(candidateOf),
  })

/** The not-found failure of a reference, with the customers that come close. */
export const noSuchCustomer = (ref: Ref, alike: readonly Customer[] = []): Failure =>
  new Failure(
    'notFound',
    'ResourceNotFound',
    `There is no customer with ${ref.by === 'word' ? `the id, key or number '${ref.value}'` : refText(ref)}.`,
    {
      hints:
        alike.length > 0
          ? ['These come close: use an id or key.']
          : [
              'Search with `frontdesk customers find TEXT`: it takes parts, similar sounds and former emails.',
              'Check the target: `frontdesk whoami --origins`.',
            ],
      details: alike.map(candidateOf),
    },
  )

/** Lets a person at a terminal choose one of the candidates of a failure; elsewhere, and for none of them, throws it. */
export async function chosenAmong(
  found: readonly Customer[],
  failure: Failure,
  asking: Asking | undefined,
): Promise<Customer> {
  if (!asking?.ask.interactive || found.length === 0) throw failure
  const labels = found.map((customer) => {
    const shown = asking.masked(customer)
    const stores = customer.stores.map(({key}) => key).join(' ') || 'global'
    return `${personOf(shown)}  ${String(valueAt(shown, 'key') ?? customer.id)}  ${stores}`
  })
  const at = await asking.ask.choice(`${failure.message} Which one?`, [...labels, 'none of them'])
  const chosen = found[at]
  if (!chosen) throw failure
  return chosen
}

/** The only one of several, the one that a person chooses, or a failure. */
export async function onlyOne(found: readonly Customer[], ref: Ref, asking: Asking | undefined): Promise<Customer> {
  const [only, another] = found
  if (!only) throw noSuchCustomer(ref)
  return another ? chosenAmong(found, severalHave(found, ref), asking) : only
}
