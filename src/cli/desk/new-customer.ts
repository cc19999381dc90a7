import type {Customer} from '../../domain/customers/customer.js'
import {type Act, type Opened, text, typed} from './act.js'

const never = new Date(0).toISOString()

export const refuseEmail = (answer: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(answer.trim()) ? undefined : 'An email address looks like name@example.com.'

/** Whoever is asked about before there is a customer; the email if that was typed at the search. */
export function nobody(typed: string): Opened {
  const email = refuseEmail(typed) === undefined ? typed.trim() : ''
  const customer: Customer = {
    ...{id: '', version: 0, email, isEmailVerified: false, authenticationMode: 'Password'},
    ...{createdAt: never, lastModifiedAt: never, versionModifiedAt: never},
    ...{addresses: [], shippingAddressIds: [], billingAddressIds: [], stores: [], customerGroupAssignments: []},
  }
  return {customer, name: email, ref: '', card: [], details: []}
}

const optional = [
  {name: 'title', text: 'Title (- for none):', flag: '--title'},
  {name: 'firstName', text: 'First name (- for none):', flag: '--first-name'},
  {name: 'lastName', text: 'Last name (- for none):', flag: '--last-name'},
  {name: 'companyName', text: 'Company (- for none):', flag: '--company'},
] as const

export const createCustomer: Act = {
  key: '+',
  label: 'new customer',
  about: 'make a customer with a generated password, where the search finds nobody',
  command: 'customers create',
  asks: [text('email', 'Email:', {initial: ({email}) => email, refuse: refuseEmail}), ...optional],
  words: (_ref, _customer, answers) => [
    ...['customers', 'create', '--email', typed(answers, 'email')],
    ...optional.flatMap(({name, flag}) => (typed(answers, name) === '' ? [] : [`${flag}=${typed(answers, name)}`])),
    '--generate-password',
  ],
  creates: ({email = ''}) => email.trim(),
  showsSecret: true,
}
