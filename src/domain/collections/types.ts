import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import {registryOf} from '../action.js'
import {defined} from '../equal.js'
import {checkDistinct} from '../errors.js'
import {Key, listOf, optional} from '../rules.js'
import {Localized} from './localized.js'
import {customizable, definitionOf, FieldDefinitionDraft, type Type} from './type.js'
import {typeActions} from './type-actions.js'
import {writable} from './writable.js'

const TypeDraft = v.object({
  key: Key,
  name: Localized,
  description: optional(Localized),
  resourceTypeIds: listOf(v.picklist(customizable), customizable.length),
  fieldDefinitions: optional(listOf(FieldDefinitionDraft, limits.fieldDefinitions)),
})

export const types = writable<Type, v.InferOutput<typeof TypeDraft>>({
  typeId: 'type',
  draft: TypeDraft,
  actions: registryOf<Type>(typeActions),
  references: () => [],
  membersOf: ({key, name, description, resourceTypeIds, fieldDefinitions = []}) => {
    checkDistinct('fieldDefinitions', 'name', fieldDefinitions)
    return defined({
      key,
      name,
      description,
      resourceTypeIds: [...new Set(resourceTypeIds)],
      fieldDefinitions: fieldDefinitions.map(definitionOf),
    })
  },
  unique: ['key'],
})
