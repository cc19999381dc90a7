import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {optional, Text} from '../../rules.js'
import {customerAction} from '../customer-action.js'
import {projectLocale} from '../locale.js'

export const setLocale = customerAction({
  name: 'setLocale',
  summary: 'set or remove the preferred language',
  fields: ['locale'],
  sets: 'locale',
  schema: v.object({locale: optional(Text)}),
  messages: [],
  errors: ['InvalidInput'],
  my: true,
  apply: (customer, {locale}, facts) => ({
    next: withMember(customer, 'locale', locale === undefined ? undefined : projectLocale(locale, facts.languages)),
  }),
})
