import {valueAt} from '../output/fields.js'
import {nameOf} from '../output/views.js'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Name and email of a customer: `Petra Vance <petra@example.com>`. The document may be masked already. */
export function personOf(customer: unknown): string {
  const name = nameOf(customer) || text(valueAt(customer, 'companyName'))
  const email = text(valueAt(customer, 'email'))
  return name === '' ? email : `${name} <${email}>`
}
