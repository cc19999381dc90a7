import * as v from 'valibot'
import {limits} from '../../limits.js'
import {type AnyAction, actionOf} from '../action.js'
import {equal} from '../equal.js'
import {ApiError} from '../errors.js'
import type {MessageDraft} from '../messages.js'
import {listOf, optional} from '../rules.js'
import type {Store} from './store.js'
import {type AnyStoreList, Selection, SelectionSetting, storeLists, unique} from './store-lists.js'

const storeAction = actionOf<Store>()

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const entriesOf = (store: Store, {member}: AnyStoreList): readonly unknown[] => store[member] ?? []

/** The store with another list, and the message that says what came, went and changed. */
function changed(store: Store, list: AnyStoreList, next: readonly unknown[]) {
  const {member, identity} = list
  const before = entriesOf(store, list)
  if (equal(before, next)) return {next: store}
  const [old, now] = [before, next].map((entries) => new Map(entries.map((entry) => [identity(entry), entry])))
  const added = next.filter((entry) => !old?.has(identity(entry)))
  const removed = before.filter((entry) => !now?.has(identity(entry)))
  const updated = next.filter((entry) => old?.has(identity(entry)) && !equal(old.get(identity(entry)), entry))
  const of = capital(member)
  const payload = {
    [`added${of}`]: added,
    [`removed${of}`]: removed,
    ...(member === 'productSelections' ? {[`updated${of}`]: updated} : {}),
  }
  const message: MessageDraft = {type: messageOf(list), payload}
  return {next: {...store, [member]: next}, messages: [message]}
}

const messageOf = ({member}: AnyStoreList): string => `Store${capital(member)}Changed`

function setting(list: AnyStoreList): AnyAction<Store> {
  const {member, label, entry, errors = []} = list
  return storeAction({
    name: `set${capital(member)}`,
    summary: `replace the ${label} of the store`,
    fields: [member],
    schema: v.object({[member]: optional(listOf(entry, limits.storeEntries))}),
    messages: [messageOf(list)],
    errors,
    references: (body) => (body[member] ?? []).flatMap((one) => list.references(one)),
    apply: (store, body, facts) =>
      changed(
        store,
        list,
        unique(
          list,
          (body[member] ?? []).map((one) => list.read(one, facts)),
        ),
      ),
  })
}

/** What adds, removes or changes one entry: how its body stands for the entry, and what becomes of the list. */
interface Single {
  readonly name: string
  readonly summary: string
  readonly schema: v.GenericSchema<unknown, unknown>
  readonly entryIn: (body: never) => unknown
  readonly next: (
    entries: readonly unknown[],
    entry: unknown,
    identity: (entry: unknown) => string,
  ) => readonly unknown[]
}

const add: Single['next'] = (entries, entry, identity) =>
  entries.some((other) => identity(other) === identity(entry))
    ? entries.map((other) => (identity(other) === identity(entry) ? entry : other))
    : [...entries, entry]

const remove: Single['next'] = (entries, entry, identity) =>
  entries.filter((other) => identity(other) !== identity(entry))

const single = (list: AnyStoreList, {name, summary, schema, entryIn, next}: Single): AnyAction<Store> =>
  storeAction({
    name,
    summary,
    fields: [list.member],
    schema,
    messages: [messageOf(list)],
    errors: list.errors ?? [],
    references: (body) => list.references(entryIn(body as never)),
    apply: (store, body, facts) => {
      const entry = list.read(entryIn(body as never), facts)
      const entries = next(entriesOf(store, list), entry, list.identity)
      if (entries.length > limits.storeEntries) {
        const limit = limits.storeEntries
        throw ApiError.of('MaxResourceLimitExceeded', {limit, exceededResource: list.member})
      }
      return changed(store, list, entries)
    },
  })

function singles(list: AnyStoreList): AnyAction<Store>[] {
  const {one, label, entry} = list
  if (one === undefined) return []
  const shape = {schema: v.object({[one]: entry}), entryIn: (body: Record<string, unknown>) => body[one]}
  return [
    single(list, {name: `add${capital(one)}`, summary: `add one of the ${label}`, ...shape, next: add}),
    single(list, {name: `remove${capital(one)}`, summary: `remove one of the ${label}`, ...shape, next: remove}),
  ]
}

const whole = (body: unknown): unknown => body

/** Product selections come with a flag beside their reference. */
function selections(list: AnyStoreList): AnyAction<Store>[] {
  const change: Single['next'] = (entries, entry, identity) => {
    if (entries.some((other) => identity(other) === identity(entry))) return add(entries, entry, identity)
    throw ApiError.of('InvalidOperation', {message: 'The store does not have this product selection.'})
  }
  const [schema, entryIn] = [SelectionSetting, whole]
  return [
    single(list, {name: 'addProductSelection', summary: 'add a product selection', schema, entryIn, next: add}),
    single(list, {
      name: 'removeProductSelection',
      summary: 'remove a product selection',
      schema: v.object({productSelection: Selection}),
      entryIn,
      next: remove,
    }),
    single(list, {
      name: 'changeProductSelectionActive',
      summary: 'say whether the products of a selection are available in the store',
      schema,
      entryIn,
      next: change,
    }),
  ]
}

/** The actions on the lists of a store. Source: API › Store update actions. */
export const storeListActions: readonly AnyAction<Store>[] = storeLists.flatMap((list) => [
  setting(list),
  ...(list.member === 'productSelections' ? selections(list) : singles(list)),
])
