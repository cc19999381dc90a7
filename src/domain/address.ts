import * as v from 'valibot'
import type {Facts} from './action.js'
import {addressFields} from './address-fields.js'
import {CustomFieldsDraft, customFieldsOf} from './custom-fields.js'
import type {Address} from './customers/customer.js'
import {defined} from './equal.js'
import {byField} from './field.js'
import {Country, optional} from './rules.js'

/** The draft of an address; an `id` is ignored, since the service assigns ids. */
export const AddressDraft = v.object({
  ...byField(addressFields, ({schema}) => optional(schema)),
  country: Country,
  custom: optional(CustomFieldsDraft),
})

export type AddressDraft = v.InferOutput<typeof AddressDraft>

export function addressOf(draft: AddressDraft, id: string, facts: Facts): Address {
  const {custom, ...plain} = draft
  return defined({
    id,
    ...plain,
    custom: custom && customFieldsOf(custom, 'address', facts),
  }) as Address
}
