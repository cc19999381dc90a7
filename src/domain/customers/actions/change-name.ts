import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {optional, Text} from '../../rules.js'
import type {Customer} from '../customer.js'
import {customerAction} from '../customer-action.js'

const emitted = [
  ['firstName', 'CustomerFirstNameSet'],
  ['lastName', 'CustomerLastNameSet'],
  ['title', 'CustomerTitleSet'],
] as const

const nameParts = ['firstName', 'lastName', 'middleName', 'title'] as const

/** Replaces the whole name at once; deprecated in favour of the four setters (decision 36). */
export const changeName = customerAction({
  name: 'changeName',
  summary: 'replace all parts of the name',
  fields: nameParts,
  schema: v.object({firstName: Text, lastName: Text, middleName: optional(Text), title: optional(Text)}),
  messages: emitted.map(([, type]) => type),
  deprecated: {
    id: 'customers-change-name',
    alternative: 'setFirstName, setLastName, setMiddleName, setTitle',
    since: '2016-01-15',
  },
  apply: (customer, name) => {
    let next: Customer = customer
    for (const part of nameParts) next = withMember(next, part, name[part])
    const messages = emitted
      .filter(([part]) => next[part] !== customer[part])
      .map(([part, type]) => ({type, payload: next[part] === undefined ? {} : {[part]: next[part]}}))
    return {next, messages}
  },
})
