import type {AddressDraft} from '../address.js'
import {referencesIn} from '../custom-fields.js'

/** What the custom fields of an address draft refer to. */
export const addressReferences = ({custom}: AddressDraft) =>
  custom ? [{...custom.type, typeId: 'type'}, ...referencesIn(custom.fields)] : []
