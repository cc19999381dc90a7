import * as v from 'valibot'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {cellAt} from '../output/fields.js'
import {type Answers, assigned, assignment, listKeys, type Option, type Question, typed, updateAct} from './act.js'

/** Changes a field that no other act changes, chosen from a list with its value. */

const ownActs = ['email', 'title', 'firstName', 'lastName']

function fieldsOf(customer: Customer): readonly Option[] {
  // What callers ask for most, before what identifies them to systems.
  const plain = [...fieldRows]
    .sort((a, b) => Number(a.identifies === true) - Number(b.identifies === true))
    .filter(({name, fixed}) => !ownActs.includes(name) && !(fixed && customer[name] !== undefined))
    .map(({name, label}) => ({path: name, label}))
  const custom = Object.entries(customer.custom?.fields ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name]) => ({path: `custom.fields.${name}`, label: name}))
  return [...plain, ...custom].slice(0, listKeys.length).map(({path, label}, at) => {
    const now = cellAt(customer, path)
    return {key: listKeys.charAt(at), label: now === '' ? label : `${label}: ${now}`, value: path}
  })
}

/** A date of birth as callers say it; any other value as it is. */
async function meaningOf(said: string, {field}: Answers): Promise<string> {
  if (field !== 'dateOfBirth') return said.trim()
  const {datesIn} = await import('../input/dates-in.js')
  const {dates} = datesIn(said)
  // With dots the day comes first everywhere.
  const isClear = dates.length === 1 || /^\s*\d{1,2}\.\s*\d{1,2}\./.test(said)
  return isClear ? (dates[0] ?? said.trim()) : said.trim()
}

function refusalOf(answer: string, {field}: Answers): string | undefined {
  const row = fieldRows.find(({name}) => name === field)
  if (row === undefined || answer === '') return undefined
  const parsed = v.safeParse(row.schema, answer)
  return parsed.success ? undefined : parsed.issues[0].message
}

export const changeField = updateAct({
  key: 'f',
  label: 'other field',
  about: 'change another field, such as the company, the date of birth or a custom one',
  asks: [
    {name: 'field', text: 'Which field?', options: fieldsOf},
    {
      name: 'value',
      text: 'Its value (- for none):',
      initial: (customer, {field = ''}) => cellAt(customer, field),
      meaning: meaningOf,
      refuse: (answer, {customer}, answers) =>
        answer === cellAt(customer, answers['field'] ?? '') ? 'That is its value already.' : refusalOf(answer, answers),
    },
  ],
  changes: (_, {field = '', value = ''}) => assignment(field, value),
})

/** Adds and removes addresses, changes their members and what they are the default of. */

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

const place = (address: Customer['addresses'][number]): string =>
  [address.streetName, address.streetNumber, address.postalCode, address.city, address.country]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const which: Question = {
  name: 'which',
  text: 'Which address?',
  options: ({addresses}) => [
    ...addresses
      .slice(0, 9)
      .map((address, at) => ({key: listKeys.charAt(at), label: place(address), value: address.id})),
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
async function countryCode(said: string): Promise<string> {
  const {countryCodes} = await import('../../transfer/mapping/country-names.js')
  const [code, ...others] = (await countryCodes())(said)
  return code !== undefined && others.length === 0 ? code : said
}

const member = ({name, label}: (typeof members)[number], at: number): Question => ({
  name,
  text: label,
  when: ({which, what}) => which === added || what === (at < whoFrom ? 'c' : 'w'),
  initial: ({addresses}, {which}) => addresses.find(({id}) => id === which)?.[name] ?? '',
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

function changes({addresses}: Customer, {which = '', what, ...said}: Answers): readonly string[] {
  if (which === added) {
    const given = Object.keys(said).flatMap((name) => (typed(said, name) === '' ? [] : [[name, typed(said, name)]]))
    return ['--add-address', JSON.stringify(Object.fromEntries(given))]
  }
  const address = addresses.find(({id}) => id === which)
  if (!address) return []
  if (what === 's') return ['--default-shipping', which]
  if (what === 'b') return ['--default-billing', which]
  if (what === 'r') return ['--remove-address', which]
  return assigned(address, said, `addresses.${which}.`)
}

export const addressAct = updateAct({
  key: 'a',
  label: 'addresses',
  about: 'change, add or remove an address, or make it the default',
  asks: [which, what, ...members.map(member)],
  changes,
})
