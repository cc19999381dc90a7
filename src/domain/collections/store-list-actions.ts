import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import {type AnyAction, actionOf, type MessageDraft} from '../action.js'
import {capital, equal} from '../equal.js'
import {ApiError, checkRoom} from '../errors.js'
import {listOf, optional} from '../rules.js'
import type {Store} from './store.js'
import {type AnyStoreList, entriesOf, storeLists, unique} from './store-lists.js'

const storeAction = actionOf<Store>()

const heldIn = (store: Store, {member}: AnyStoreList): readonly unknown[] => store[member] ?? []

/** The store with another list, and the message that says what came, went and changed. */
function changed(store: Store, list: AnyStoreList, next: readonly unknown[]) {
  const {member, identity} = list
  const before = heldIn(store, list)
  if (equal(before, next)) return {next: store}
  const [old, now] = [before, next].map((entries) => new Map(entries.map((entry) => [identity(entry), entry])))
  const added = next.filter((entry) => !old?.has(identity(entry)))
  const removed = before.filter((entry) => !now?.has(identity(entry)))
  const updated = next.filter((entry) => old?.has(identity(entry)) && !equal(old.get(identity(entry)), entry))
  const of = capital(member)
  const payload = {
    [`added${of}`]: added,
    [`removed${of}`]: removed,
    ...(list.one?.flag ? {[`updated${of}`]: updated} : {}),
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
    apply: (store, body, facts) => changed(store, list, entriesOf(list, body[member], facts)),
  })
}

type Next = (entries: readonly unknown[], entry: unknown) => readonly unknown[]

/** The actions on one entry of a list: how many of them follows from what it declares. */
function singles(list: AnyStoreList): AnyAction<Store>[] {
  const {one, label, identity} = list
  if (!one) return []
  const {added, removed, entryIn, flag} = one
  const single = (name: string, summary: string, schema: typeof added, next: Next): AnyAction<Store> =>
    storeAction({
      name,
      summary,
      fields: [list.member],
      schema,
      messages: [messageOf(list)],
      errors: list.errors ?? [],
      references: (body) => list.references(entryIn(body as never)),
      apply: (store, body, facts) => {
        const entries = next(heldIn(store, list), list.read(entryIn(body as never), facts))
        checkRoom(entries.length, limits.storeEntries, list.member)
        return changed(store, list, entries)
      },
    })
  const add: Next = (entries, entry) => unique(list, [...entries, entry])
  const without: Next = (entries, entry) => entries.filter((other) => identity(other) !== identity(entry))
  const change: Next = (entries, entry) => {
    if (without(entries, entry).length < entries.length) return add(entries, entry)
    throw ApiError.of('InvalidOperation', {message: flag?.missing ?? ''})
  }
  const name = capital(one.name)
  return [
    single(`add${name}`, `add one of the ${label}`, added, add),
    single(`remove${name}`, `remove one of the ${label}`, removed, without),
    ...(flag ? [single(`change${name}${flag.name}`, flag.summary, added, change)] : []),
  ]
}

/** The actions on the lists of a store. Source: API › Store update actions. */
export const storeListActions: readonly AnyAction<Store>[] = storeLists.flatMap((list) => [
  setting(list),
  ...singles(list),
])
