import type {Customer} from '../../domain/customers/customer.js'
import {type Act, type Answers, optional, type Question, update, updates} from './act.js'

/** The act for addresses: an existing one is changed, removed or made a default, or a new one is added. */

const members = [
  {name: 'streetName', label: 'Street (- for none):'},
  {name: 'streetNumber', label: 'House number (- for none):'},
  {name: 'postalCode', label: 'Postal code (- for none):'},
  {name: 'city', label: 'City (- for none):'},
  {name: 'country', label: 'Country (two letters):'},
] as const

const added = 'n'
const digits = '123456789'

const chosenIn = ({addresses}: Customer, {which = ''}: Answers) => addresses.find(({id}) => id === which)

const place = (address: Customer['addresses'][number]): string =>
  [address.streetName, address.streetNumber, address.postalCode, address.city, address.country]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const which: Question = {
  name: 'which',
  text: 'Which address?',
  options: ({addresses}) => [
    ...addresses
      .slice(0, digits.length)
      .map((address, at) => ({key: digits.charAt(at), label: place(address), value: address.id})),
    {key: added, label: 'a new one'},
  ],
}

const what: Question = {
  name: 'what',
  text: 'What about it?',
  when: (answers) => answers['which'] !== added,
  options: () => [
    {key: 'c', label: 'change it'},
    {key: 's', label: 'default shipping'},
    {key: 'b', label: 'default billing'},
    {key: 'r', label: 'remove it'},
  ],
}

const member = ({name, label}: (typeof members)[number]): Question =>
  optional(name, label, {
    when: (answers) => answers['which'] === added || answers['what'] === 'c',
    initial: (customer, answers) => chosenIn(customer, answers)?.[name] ?? '',
    ...(name === 'country'
      ? {refuse: (answer) => (/^[A-Za-z]{2}$/.test(answer.trim()) ? undefined : 'A country is two letters, as DE.')}
      : {}),
  })

const typed = (answers: Answers, name: string): string => {
  const value = (answers[name] ?? '').trim()
  return name === 'country' ? value.toUpperCase() : value
}

function changes(customer: Customer, answers: Answers): readonly string[] {
  if (answers['which'] === added) {
    const given = members.map(({name}) => [name, typed(answers, name)] as const).filter(([, value]) => value !== '')
    return ['--add-address', JSON.stringify(Object.fromEntries(given))]
  }
  const address = chosenIn(customer, answers)
  if (!address) return []
  if (answers['what'] === 's') return ['--default-shipping', address.id]
  if (answers['what'] === 'b') return ['--default-billing', address.id]
  if (answers['what'] === 'r') return ['--remove-address', address.id]
  return members
    .filter(({name}) => typed(answers, name) !== (address[name] ?? ''))
    .flatMap(({name}) => {
      const value = typed(answers, name)
      const path = `addresses.${address.id}.${name}`
      return value === '' ? ['--unset', path] : ['--set', `${path}=${value}`]
    })
}

export const addressAct: Act = {
  key: 'a',
  label: 'addresses',
  about: 'change, add or remove an address, or make it the default',
  command: 'customers update',
  calls: updates,
  writes: true,
  asks: [which, what, ...members.map(member)],
  words: update(changes),
}
