import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {Locale, optional} from '../../rules.js'
import {customerAction} from '../customer-action.js'
import {checkLocale} from '../locale.js'

export const setLocale = customerAction({
  name: 'setLocale',
  summary: 'set or remove the preferred language',
  sets: 'locale',
  schema: v.object({locale: optional(Locale)}),
  messages: [],
  errors: ['InvalidField'],
  my: true,
  apply: (customer, {locale}, facts) => {
    if (locale !== undefined) checkLocale(locale, facts.languages)
    return {next: withMember(customer, 'locale', locale)}
  },
})
