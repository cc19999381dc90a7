import type {Customer} from '../../domain/customers/customer.js'
import {type Answers, assignment, type Question, updateAct} from './act.js'

const members = [
  {name: 'streetName', label: 'Street (- for none):'},
  {name: 'streetNumber', label: 'House number (- for none):'},
  {name: 'postalCode', label: 'Postal code (- for none):'},
  {name: 'city', label: 'City (- for none):'},
  {name: 'state', label: 'State (- for none):'},
  {name: 'country', label: 'Country:'},
  {name: 'firstName', label: 'First name of who lives there (- for none):'},
  {name: 'lastName', label: 'Last name of who lives there (- for none):'},
  {name: 'company', label: 'Company (- for none):'},
  {name: 'phone', label: 'Phone (- for none):'},
] as const

/** The first members say where it is, the others who is there. */
const whoFrom = members.findIndex(({name}) => name === 'firstName')

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
    {key: 'c', label: 'change the place'},
    {key: 'w', label: 'change who is there: name, company, phone'},
    {key: 's', label: 'default shipping'},
    {key: 'b', label: 'default billing'},
    {key: 'r', label: 'remove it'},
  ],
}

/** A country by its name or code, as imports know it. */
async function countryCode(typed: string): Promise<string> {
  const {countryCodes} = await import('../../transfer/mapping/country-names.js')
  const [code, ...others] = (await countryCodes())(typed)
  return code !== undefined && others.length === 0 ? code : typed
}

const member = ({name, label}: (typeof members)[number], at: number): Question => ({
  name,
  text: label,
  when: (answers) => answers['which'] === added || answers['what'] === (at < whoFrom ? 'c' : 'w'),
  initial: (customer, answers) => chosenIn(customer, answers)?.[name] ?? '',
  ...(name === 'country'
    ? {
        meaning: countryCode,
        refuse: (answer) =>
          /^[A-Z]{2}$/.test(answer.trim())
            ? undefined
            : 'That is no country: type its name, as Germany or Deutschland, or two letters, as DE.',
      }
    : {}),
})

const typed = (answers: Answers, name: string): string => (answers[name] ?? '').trim()

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
    .filter(({name}) => name in answers && typed(answers, name) !== (address[name] ?? ''))
    .flatMap(({name}) => assignment(`addresses.${address.id}.${name}`, typed(answers, name)))
}

export const addressAct = updateAct({
  key: 'a',
  label: 'addresses',
  about: 'change, add or remove an address, or make it the default',
  asks: [which, what, ...members.map(member)],
  changes,
})
