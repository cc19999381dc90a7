import * as v from 'valibot'
import {registryOf, setterOf} from '../action.js'
import {ownCustomActions} from '../custom-actions.js'
import {CustomFieldsDraft, customFieldsOf, customReferencesOf} from '../custom-fields.js'
import {defined, omit} from '../equal.js'
import {Key, optional} from '../rules.js'
import {Localized} from './localized.js'
import type {Store} from './store.js'
import {storeListActions} from './store-list-actions.js'
import {listReferencesOf, listsOf, storeListMembers} from './store-lists.js'
import {Storefront, storefrontActions} from './storefront.js'
import {type MembersOf, writable} from './writable.js'

const setName = setterOf<Store>()({
  name: 'setName',
  summary: 'set or remove the name of the store',
  member: 'name',
  schema: optional(Localized),
  message: 'StoreNameSet',
})

const StoreDraft = v.object({
  key: Key,
  name: optional(Localized),
  ...storeListMembers,
  custom: optional(CustomFieldsDraft),
  storefront: optional(Storefront),
})

/** The stores of a project. Their keys never change: customers, carts and scopes name stores by them. */
export const stores = writable<Store, v.InferOutput<typeof StoreDraft>>({
  typeId: 'store',
  draft: StoreDraft,
  actions: registryOf<Store>([
    setName,
    ...storeListActions,
    ...storefrontActions,
    ...ownCustomActions<Store>({resourceTypeId: 'store'}),
  ]),
  references: (draft) => [...listReferencesOf(draft), ...customReferencesOf(draft.custom)],
  membersOf: ({key, name, custom, storefront, ...lists}, facts) =>
    defined({
      key,
      name,
      ...listsOf(lists, facts),
      custom: custom && customFieldsOf(custom, 'store', facts),
      storefront: storefront && defined(storefront),
    }) as MembersOf<Store>,
  unique: ['key'],
  ofProject: 'languages',
  messages: {
    created: (store) => ({
      type: 'StoreCreated',
      payload: omit(store, ['id', 'version', 'key', 'createdAt', 'lastModifiedAt', 'storefront']),
    }),
    deleted: {type: 'StoreDeleted', payload: {}},
  },
})
