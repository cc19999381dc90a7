import type {Customer} from './customer.js'
import type {DesiredCustom, DesiredCustomer} from './desired-customer.js'
import {fieldRows} from './fields.js'
import {canonicalEmail} from './identity.js'
import {mergedAddresses, writtenAddresses} from './merge-addresses.js'
import {completedCustom} from './partial-row.js'
import {
  digestWith,
  heldNames,
  heldReference,
  type MergeOptions,
  nameOf,
  referenceName,
  setOf,
  textOf,
  type Written,
} from './written.js'

interface Member {
  readonly name: string
  readonly wanted: (desired: DesiredCustomer) => string | undefined
  /** As the customer has it: each form in which a row may say it. */
  readonly held: (customer: Customer) => readonly (string | undefined)[]
}

const plain = (name: string, caseless = false): Member => {
  const text = (value: unknown) => (caseless && typeof value === 'string' ? value.toLowerCase() : textOf(value))
  return {
    name,
    wanted: (desired) => text(desired[name as keyof DesiredCustomer]),
    held: (customer) => [text(customer[name as keyof Customer])],
  }
}

const members: readonly Member[] = [
  ...fieldRows.map(({name, caseless}) => plain(name, caseless)),
  plain('authenticationMode'),
  {
    name: 'customerGroup',
    wanted: ({customerGroup}) => referenceName(customerGroup),
    held: ({customerGroup}) => heldReference(customerGroup),
  },
  {
    name: 'customerGroupAssignments',
    wanted: ({customerGroupAssignments: all}) => setOf((all ?? []).map((one) => nameOf(one.customerGroup))),
    held: ({customerGroupAssignments: all}) => heldNames(all.map((one) => one.customerGroup)),
  },
  {
    name: 'stores',
    wanted: ({stores}) => (stores?.some(({id}) => id !== undefined) ? undefined : setOf((stores ?? []).map(nameOf))),
    held: ({stores}) => heldNames(stores),
  },
]

const customField = (name: string): string => `custom.fields.${name}`

/** What a row writes of its customer. `salt` tells customers apart. */
export function writtenOf(desired: DesiredCustomer, salt: string): Written {
  const digest = digestWith(salt)
  const all: Record<string, string> = {}
  const note = (name: string, text: string | undefined): void => {
    if (text !== undefined) all[name] = digest(text)
  }
  for (const {name, wanted} of members)
    if (desired[name as keyof DesiredCustomer] !== undefined) note(name, wanted(desired))
  const {custom} = desired
  if (custom !== undefined) {
    note('custom', referenceName(custom?.type))
    if (custom?.fields) note('custom.fields', '')
    for (const [name, value] of Object.entries(custom?.fields ?? {})) {
      const text = textOf(value)
      // An unknown digest, not none: a field that was not written has none.
      all[customField(name)] = text === undefined ? '?' : digest(text)
    }
  }
  if (desired.addresses === undefined) return {members: all}
  const {addresses, defaults} = writtenAddresses(desired, digest)
  return {members: {...all, ...defaults}, addresses}
}

/** The same with what earlier runs wrote of other members. */
export const overlaid = (earlier: Written | undefined, {members: later, addresses}: Written): Written => {
  const kept = Object.entries(earlier?.members ?? {}).filter(
    ([name]) => !('custom' in later && name.startsWith('custom.fields')),
  )
  const brought = addresses ?? earlier?.addresses
  return {members: {...Object.fromEntries(kept), ...later}, ...(brought ? {addresses: brought} : {})}
}

/**
 * Compares three ways (decision 59): what is desired, what the last run wrote, and what the customer has. What somebody else has changed
 * since that run is left out of the desired state, so that it stays: those are `kept`. Without a memory of a run nothing is left out.
 */
export function merged(
  current: Customer,
  row: DesiredCustomer,
  written: Written | undefined,
  options: MergeOptions,
): {readonly desired: DesiredCustomer; readonly kept: readonly string[]} {
  const {email} = row
  // Case is no difference: a changed email would no longer be verified (decision 10).
  const isSameEmail = typeof email === 'string' && canonicalEmail(email) === canonicalEmail(current.email)
  const named = isSameEmail ? {...row, email: current.email} : row
  const desired = options.covers ? completedCustom(current, named, options.covers) : named
  const digest = digestWith(current.id)
  const kept: string[] = []
  const result: Record<string, unknown> = {...desired}
  if (written && options.keepsNewer) {
    for (const {name, wanted, held} of members) {
      const base = written.members[name]
      const text = desired[name as keyof DesiredCustomer] === undefined ? undefined : wanted(desired)
      if (base === undefined || text === undefined) continue
      const now = held(current)
      if (now.some((one) => one !== undefined && digest(one) === base)) continue
      delete result[name]
      if (!now.includes(text)) kept.push(name)
    }
    if (desired.custom !== undefined && 'custom' in written.members) {
      const custom = mergedCustom(current, desired.custom, written.members, digest)
      if (custom.custom === undefined) delete result['custom']
      else result['custom'] = custom.custom
      kept.push(...custom.kept)
    }
  }
  const addresses = mergedAddresses(current, desired, written, {...options, digest})
  return {desired: {...result, ...addresses.desired} as DesiredCustomer, kept: [...kept, ...addresses.kept]}
}

/** The custom fields of the row with those that somebody else has changed; undefined: they stay as they are. */
function mergedCustom(
  current: Customer,
  custom: DesiredCustom | null,
  base: Written['members'],
  digest: (text: string) => string,
): {readonly custom?: DesiredCustom | null; readonly kept: readonly string[]} {
  const types = heldReference(current.custom?.type)
  const isWanted = types.includes(referenceName(custom?.type))
  if (!types.some((one) => one !== undefined && digest(one) === base['custom']))
    return {kept: isWanted ? [] : ['custom']}
  if (!custom?.fields || !isWanted || !('custom.fields' in base)) return {custom, kept: []}
  const fields: Record<string, unknown> = {...custom.fields}
  const held: Readonly<Record<string, unknown>> = current.custom?.fields ?? {}
  const kept: string[] = []
  for (const name of new Set([...Object.keys(fields), ...Object.keys(held)])) {
    const [now, wanted] = [textOf(held[name]), textOf(fields[name])]
    const before = base[customField(name)] ?? digest('')
    if (now === undefined || wanted === undefined || before === '?' || digest(now) === before) continue
    if (now !== wanted) kept.push(customField(name))
    if (held[name] === undefined) delete fields[name]
    else fields[name] = held[name]
  }
  return {custom: {...custom, fields}, kept}
}
