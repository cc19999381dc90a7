import {actionOf} from '../action.js'
import type {Customer} from './customer.js'

/** Declares an update action of customers. */
export const customerAction = actionOf<Customer>()
