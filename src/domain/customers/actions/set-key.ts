import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {Key, optional} from '../../rules.js'
import {customerAction} from '../customer-action.js'

export const setKey = customerAction({
  name: 'setKey',
  summary: 'set or remove the key',
  fields: ['key'],
  sets: 'key',
  schema: v.object({key: optional(Key)}),
  messages: [],
  errors: ['DuplicateField'],
  apply: (customer, {key}) => ({next: withMember(customer, 'key', key)}),
})
