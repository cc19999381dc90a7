import * as v from 'valibot'
import {Email} from '../../rules.js'
import {customerAction} from '../customer-action.js'

/** Replaces the address, forgets that the old one was verified and drops what was mailed to it (decision 21). */
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
