import type * as v from 'valibot'
import {type Action, actionOf} from '../action.js'
import {addressRelated, type Customer} from './customer.js'

/**
 * Declares an update action of customers; the registry `customerActions` makes it known everywhere.
 *
 *     customerAction({
 *       name: 'setNote',
 *       summary: 'set or remove the note',
 *       fields: ['title'],
 *       sets: 'title',
 *       schema: v.object({note: optional(Text)}),
 *       apply: (customer, {note}) => ({next: withMember(customer, 'title', note)}),
 *     }).apply({...ada, title: 'Dr'}, {note: undefined}, facts).next
 *     // ada
 */
export const customerAction = actionOf<Customer>()

/** One that changes addresses, or what they are used for. */
export const addressAction = <const S extends v.GenericSchema>(action: Omit<Action<Customer, S>, 'fields' | 'my'>) =>
  customerAction<S>({...action, fields: addressRelated, my: true})
