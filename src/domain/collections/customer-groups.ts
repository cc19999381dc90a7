import * as v from 'valibot'
import {registryOf, setterOf} from '../action.js'
import {ownCustomActions} from '../custom-actions.js'
import {type CustomFields, CustomFieldsDraft, customFieldsOf, customReferencesOf} from '../custom-fields.js'
import {defined} from '../equal.js'
import {Key, optional, Text} from '../rules.js'
import {type Resource, writable} from './writable.js'

/** A group of customers that prices and discounts may be made for. Source: API › CustomerGroup. */
export interface CustomerGroup extends Resource {
  readonly key?: string
  readonly name?: string
  readonly custom?: CustomFields
}

const groupSetter = setterOf<CustomerGroup>()

const CustomerGroupDraft = v.object({
  key: optional(Key),
  groupName: Text,
  custom: optional(CustomFieldsDraft),
})

const actions = registryOf<CustomerGroup>([
  groupSetter({
    name: 'changeName',
    summary: 'change the name of the group',
    member: 'name',
    schema: Text,
    errors: ['DuplicateField'],
  }),
  groupSetter({
    name: 'setKey',
    summary: 'set or remove the key of the group',
    member: 'key',
    schema: optional(Key),
    errors: ['DuplicateField'],
  }),
  ...ownCustomActions<CustomerGroup>({
    resourceTypeId: 'customer-group',
    messages: 'CustomerGroupCustom',
    before: 'old',
  }),
])

export const customerGroups = writable<CustomerGroup, v.InferOutput<typeof CustomerGroupDraft>>({
  typeId: 'customer-group',
  draft: CustomerGroupDraft,
  actions,
  references: ({custom}) => customReferencesOf(custom),
  membersOf: ({key, groupName, custom}, facts) =>
    defined({key, name: groupName, custom: custom && customFieldsOf(custom, 'customer-group', facts)}),
  unique: ['key', 'name'],
})
