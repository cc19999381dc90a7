import {setterOf} from '../../action.js'
import {capital, defined} from '../../equal.js'
import {Key, optional, Text} from '../../rules.js'
import type {Customer} from '../customer.js'
import {fieldRows} from '../fields.js'
import {projectLocale} from '../resolved.js'

/** Actions that set one member of a customer, and remove it when the value is left out. */

const setting = setterOf<Customer>()

/** One for each field that declares its setter, and two that follow rules of their own. Source: API › Customer update actions. */
export const plainFields = [
  ...fieldRows.flatMap(({name, label, schema, my, setter}) =>
    setter
      ? setting({
          name: `set${capital(name)}`,
          summary: `set or remove the ${label}`,
          sets: name,
          member: name as keyof Customer,
          schema: optional(schema),
          message: setter === 'told' ? `Customer${capital(name)}Set` : undefined,
          ...defined({my}),
        })
      : [],
  ),
  setting({
    name: 'setLocale',
    summary: 'set or remove the preferred language',
    sets: 'locale',
    member: 'locale',
    schema: optional(Text),
    errors: ['InvalidInput'],
    my: true,
    kept: (locale, {languages}) => projectLocale(locale, languages),
  }),
  setting({
    name: 'setKey',
    summary: 'set or remove the key',
    sets: 'key',
    member: 'key',
    schema: optional(Key),
    errors: ['DuplicateField'],
  }),
]
