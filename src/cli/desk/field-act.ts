import * as v from 'valibot'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {cellAt} from '../output/fields.js'
import {type Answers, assignment, listKeys, type Option, updateAct} from './act.js'

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
async function meaningOf(typed: string, {field}: Answers): Promise<string> {
  if (field !== 'dateOfBirth') return typed.trim()
  const {datesIn} = await import('../input/dates-in.js')
  const {dates} = datesIn(typed)
  // With dots the day comes first everywhere.
  const isClear = dates.length === 1 || /^\s*\d{1,2}\.\s*\d{1,2}\./.test(typed)
  return isClear ? (dates[0] ?? typed.trim()) : typed.trim()
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
