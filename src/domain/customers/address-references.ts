import type {AddressDraft} from '../address.js'
import {referencesIn} from '../custom-fields.js'

/** The references in the custom fields of an address draft. */
export const addressReferences = ({custom}: AddressDraft) =>
  custom ? [{...custom.type, typeId: 'type'}, ...referencesIn(custom.fields)] : []
