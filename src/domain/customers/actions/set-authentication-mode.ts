import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {ApiError} from '../../errors.js'
import {optional} from '../../rules.js'
import {authenticationModes} from '../customer.js'
import {customerAction} from '../customer-action.js'

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
  messages: [],
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
