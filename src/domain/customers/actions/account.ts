import * as v from 'valibot'
import {setterOf} from '../../action.js'
import {capital, defined, withMember} from '../../equal.js'
import {ApiError, invalidOperation} from '../../errors.js'
import {Email, Key, optional, Text} from '../../rules.js'
import {authenticationModes, type Customer} from '../customer.js'
import {customerAction} from '../customer-action.js'
import {fieldRows} from '../fields.js'
import {projectLocale} from '../resolved.js'

/** Actions on plain members, most of which set one of them and remove it when the value is left out, and on the way in. */

/** Replaces the email, marks it unverified and ends the tokens that were sent to the old one (decision 21). */
export const changeEmail = customerAction({
  name: 'changeEmail',
  summary: 'replace the email address',
  fields: ['email', 'isEmailVerified'],
  sets: 'email',
  schema: v.object({email: Email}),
  messages: ['CustomerEmailChanged'],
  errors: ['DuplicateField', 'LockedField'],
  my: true,
  apply: (customer, {email}) => {
    if (email === customer.email) return {next: customer}
    return {
      next: {...customer, email, isEmailVerified: false},
      messages: [{type: 'CustomerEmailChanged', payload: {email, oldEmail: customer.email}}],
      effects: [{effect: 'dropOneTimeTokens'}],
    }
  },
})

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

const nameParts = ['firstName', 'lastName', 'middleName', 'title'] as const
const toldParts = (['firstName', 'lastName', 'title'] as const).map(
  (part) => [part, `Customer${capital(part)}Set`] as const,
)

/** Replaces the whole name at once; deprecated in favour of the four setters (decision 36). */
export const changeName = customerAction({
  name: 'changeName',
  summary: 'replace all parts of the name',
  fields: nameParts,
  schema: v.object({firstName: Text, lastName: Text, middleName: optional(Text), title: optional(Text)}),
  messages: toldParts.map(([, type]) => type),
  deprecated: {
    id: 'customers-change-name',
    alternative: 'setFirstName, setLastName, setMiddleName, setTitle',
    since: '2016-01-15',
  },
  apply: (customer, name) => {
    let next: Customer = customer
    for (const part of nameParts) next = withMember(next, part, name[part])
    const messages = toldParts
      .filter(([part]) => next[part] !== customer[part])
      .map(([part, type]) => ({type, payload: next[part] === undefined ? {} : {[part]: next[part]}}))
    return {next, messages}
  },
})

export const setCustomerNumber = customerAction({
  name: 'setCustomerNumber',
  summary: 'give the customer number, once',
  fields: ['customerNumber'],
  sets: 'customerNumber',
  schema: v.object({customerNumber: optional(Text)}),
  errors: ['DuplicateField', 'InvalidOperation'],
  apply: (customer, {customerNumber}) => {
    if (customerNumber === customer.customerNumber) return {next: customer}
    if (customer.customerNumber !== undefined || customerNumber === undefined) {
      throw invalidOperation('A Customer number already exists and cannot be set again.')
    }
    return {next: {...customer, customerNumber}}
  },
})

/** Changing to `ExternalAuth` deletes the password and ends its sessions and tokens (decision 21). */
export const setAuthenticationMode = customerAction({
  name: 'setAuthenticationMode',
  summary: 'sign in with a password here, or with an external service',
  fields: ['authenticationMode'],
  sets: 'authenticationMode',
  setting: (authMode) => ({authMode}),
  schema: v.pipe(
    v.object({authMode: v.picklist(authenticationModes), password: optional(v.string())}),
    v.check(
      ({authMode, password}) => authMode !== 'Password' || password !== undefined,
      "expected 'password' where 'authMode' is 'Password'",
    ),
  ),
  secrets: ['password'],
  errors: ['InvalidInput'],
  apply: (customer, {authMode, password}, facts) => {
    if (authMode === customer.authenticationMode) {
      const message = `The customer is already using the '${authMode}' authentication mode.`
      throw ApiError.of('InvalidInput', {message})
    }
    if (authMode === 'Password') {
      return {
        next: {...customer, authenticationMode: authMode, password: facts.newPasswordMask()},
        effects: [{effect: 'setPassword', password: password ?? ''}],
      }
    }
    return {
      next: withMember({...customer, authenticationMode: authMode}, 'password', undefined),
      effects: [{effect: 'dropPassword'}, {effect: 'dropOneTimeTokens'}, {effect: 'endSessions'}],
    }
  },
})
