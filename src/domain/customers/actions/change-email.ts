import * as v from 'valibot'
import {Email} from '../../rules.js'
import {customerAction} from '../customer-action.js'

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
