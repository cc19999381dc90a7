import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import type {Facts} from '../action.js'
import {ApiError} from '../errors.js'
import {identifierOf, type Reference, type WantedReference} from '../references.js'
import {Country, Locale, listOf, optional} from '../rules.js'
import type {Store} from './store.js'

/** The lists of a store, each a set by what identifies an entry. Their actions and messages are a loop over these. */
export interface StoreList<D, E> {
  readonly member: 'languages' | 'countries' | 'distributionChannels' | 'supplyChannels' | 'productSelections'
  /** How the actions that add and remove one entry name it. Absent: the list is only set as a whole. */
  readonly one?: SingleEntry
  readonly label: string
  readonly entry: v.GenericSchema<unknown, D>
  readonly errors?: readonly string[]
  references(entry: D): readonly WantedReference[]
  read(entry: D, facts: Facts): E
  identity(entry: E): string
}

interface SingleEntry {
  readonly name: string
  /** The bodies of the actions. */
  readonly added: v.GenericSchema<unknown, unknown>
  readonly removed: v.GenericSchema<unknown, unknown>
  readonly entryIn: (body: never) => unknown
  /** The flag beside the reference of an entry, which an action changes. */
  readonly flag?: {readonly name: string; readonly summary: string; readonly missing: string}
}

const oneNamed = (name: string, entry: v.GenericSchema<unknown, unknown>): SingleEntry => {
  const schema = v.object({[name]: entry})
  return {name, added: schema, removed: schema, entryIn: (body: Readonly<Record<string, unknown>>) => body[name]}
}

export type AnyStoreList = StoreList<unknown, unknown>

const listed = <D, E>(list: StoreList<D, E>): AnyStoreList => list as AnyStoreList

const Channel = identifierOf('channel')
const Selection = identifierOf('product-selection')

const notInProject = (languages: readonly string[]): ApiError =>
  ApiError.of('ProjectNotConfiguredForLanguages', {languages})

const channels = (member: 'distributionChannels' | 'supplyChannels', one: string, label: string) =>
  listed<v.InferOutput<typeof Channel>, Reference>({
    member,
    one: oneNamed(one, Channel),
    label,
    entry: Channel,
    errors: ['ReferencedResourceNotFound'],
    references: (channel) => [channel],
    read: (channel, facts) => ({typeId: 'channel', id: facts.resolve(channel).id}),
    identity: ({id}) => id,
  })

const SelectionSetting = v.object({productSelection: Selection, active: optional(v.boolean())})

interface Selected {
  readonly productSelection: Reference
  readonly active: boolean
}

export const storeLists: readonly AnyStoreList[] = [
  listed<string, string>({
    member: 'languages',
    label: 'languages',
    entry: Locale,
    errors: ['ProjectNotConfiguredForLanguages'],
    references: () => [],
    read: (tag, {languages}) => {
      if (languages.length === 0) return tag
      const known = languages.find((language) => language.toLowerCase() === tag.toLowerCase())
      if (known === undefined) throw notInProject([tag])
      return known
    },
    identity: (tag) => tag,
  }),
  listed<{code: string}, {code: string}>({
    member: 'countries',
    one: oneNamed('country', v.object({code: Country})),
    label: 'countries',
    entry: v.object({code: Country}),
    references: () => [],
    read: ({code}) => ({code}),
    identity: ({code}) => code,
  }),
  channels('distributionChannels', 'distributionChannel', 'distribution channels'),
  channels('supplyChannels', 'supplyChannel', 'supply channels'),
  listed<v.InferOutput<typeof SelectionSetting>, Selected>({
    member: 'productSelections',
    one: {
      name: 'productSelection',
      added: SelectionSetting,
      removed: v.object({productSelection: Selection}),
      entryIn: (body) => body,
      flag: {
        name: 'Active',
        summary: 'say whether the products of a selection are available in the store',
        missing: 'The store does not have this product selection.',
      },
    },
    label: 'product selections',
    entry: SelectionSetting,
    errors: ['ReferencedResourceNotFound'],
    references: ({productSelection}) => [productSelection],
    read: ({productSelection, active = false}, facts) => ({
      productSelection: {typeId: 'product-selection', id: facts.resolve(productSelection).id},
      active,
    }),
    identity: ({productSelection}) => productSelection.id,
  }),
]

/** Entries by identity; of repeats the last stays, in the place of the first. */
export function unique({identity}: AnyStoreList, entries: readonly unknown[]): readonly unknown[] {
  return [...new Map(entries.map((entry) => [identity(entry), entry])).values()]
}

/** The entries of a list from what a draft or an action gives; none where it gives nothing. */
export function entriesOf(list: AnyStoreList, given: readonly unknown[] | undefined, facts: Facts): readonly unknown[] {
  const entries = given?.map((entry) => list.read(entry, facts)) ?? []
  return unique(list, entries)
}

type Member = AnyStoreList['member']

export const storeListMembers = Object.fromEntries(
  storeLists.map(({member, entry}) => [member, optional(listOf(entry, limits.storeEntries))]),
) as unknown as Record<Member, v.GenericSchema<unknown, readonly unknown[] | undefined>>

type ListDraft = {readonly [M in Member]?: readonly unknown[] | undefined}

export const listReferencesOf = (draft: ListDraft) =>
  storeLists.flatMap((list) => (draft[list.member] ?? []).flatMap((entry) => list.references(entry)))

/** The lists of a new store; those that its draft leaves out are empty. */
export const listsOf = (draft: ListDraft, facts: Facts): Pick<Store, Member> =>
  Object.fromEntries(storeLists.map((list) => [list.member, entriesOf(list, draft[list.member], facts)]))
