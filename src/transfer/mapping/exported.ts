import {isObject} from '../../domain/equal.js'
import type {Issue} from '../input/row.js'
import {addressClaims} from './draft-shape.js'

type Document = Record<string, unknown>

/** A document as a draft: addresses named by index, server-owned members and masks gone. Not yet checked. */
export interface Read {
  readonly draft: Document
  readonly issues: readonly Issue[]
  /** The password was the mask of an exported customer, and counts as absent. */
  readonly masked: boolean
}

const roles = [
  {
    index: 'defaultShippingAddress',
    indices: 'shippingAddresses',
    id: 'defaultShippingAddressId',
    ids: 'shippingAddressIds',
  },
  {
    index: 'defaultBillingAddress',
    indices: 'billingAddresses',
    id: 'defaultBillingAddressId',
    ids: 'billingAddressIds',
  },
] as const

/** Whether a password is what exports of the service show in its place. */
export const isMask = (password: unknown): boolean => typeof password === 'string' && password.startsWith('****')

/** Reads a document that is a draft or an exported customer as a draft. `document` is taken over. */
export function draftOf(document: Document, columnOf: (path: string) => string): Read {
  const draft = document
  const issues: Issue[] = []
  const masked = isMask(draft['password'])
  if (masked) delete draft['password']
  dropMereClaims(draft)
  const kept = closeGaps(draft)
  const claimed = claimedRoles(draft, columnOf, issues)
  for (const {index, indices, id, ids} of roles) {
    moveIndices(draft, kept, [index, indices], columnOf, issues)
    const idOf = (path: string, value: unknown): number | undefined => indexOfId(draft, path, value, columnOf, issues)
    replace(draft, id, index, (value) => idOf(id, value), columnOf, issues)
    replace(draft, ids, indices, (value) => listOf(value)?.map((entry) => idOf(ids, entry)), columnOf, issues)
  }
  for (const [role, at] of claimed) draft[role] = at
  for (const list of ['stores', 'customerGroupAssignments']) {
    if (Array.isArray(draft[list])) draft[list] = draft[list].filter((entry: unknown) => entry !== undefined)
  }
  return {draft, issues, masked}
}

/** A table may fill `addresses.1` and leave `addresses.0` empty. Returns the old indices that remain, in order. */
function closeGaps(draft: Document): readonly number[] | undefined {
  const addresses = draft['addresses']
  if (!Array.isArray(addresses)) return undefined
  // It finds holes too.
  if (!addresses.includes(undefined)) return undefined
  // A hole is skipped by every array method but `keys`.
  const kept = [...addresses.keys()].filter((at) => addresses[at] !== undefined)
  // No address at all is not an empty list, which would take away what the customer has.
  if (kept.length === 0) delete draft['addresses']
  else draft['addresses'] = kept.map((at): unknown => addresses[at])
  return kept
}

const claims = Object.keys(addressClaims)
const claimedRole = Object.entries(addressClaims)

/** An address that has nothing but a role is none. */
function dropMereClaims({addresses}: Document): void {
  if (!Array.isArray(addresses)) return
  for (const [at, address] of addresses.entries()) {
    const members = isObject(address) ? Object.keys(address) : []
    if (members.length > 0 && members.every((name) => claims.includes(name))) addresses[at] = undefined
  }
}

/** Takes from addresses what they say of themselves. One that claims a role takes it from whatever else names one. */
function claimedRoles(
  draft: Document,
  columnOf: (path: string) => string,
  issues: Issue[],
): ReadonlyMap<string, number> {
  const roles = new Map<string, number>()
  const addresses = Array.isArray(draft['addresses']) ? (draft['addresses'] as unknown[]) : []
  for (const [at, address] of addresses.entries()) {
    if (!isObject(address)) continue
    for (const [name, role] of claimedRole) {
      // To delete what is not there takes as long as to delete.
      if (!Object.hasOwn(address, name)) continue
      const claim = address[name]
      delete (address as Document)[name]
      const twice = claim === true && roles.has(role)
      if (typeof claim === 'boolean' && !twice) {
        if (claim) roles.set(role, at)
      } else if (claim !== undefined) {
        const message = twice ? `Two addresses of the row are its ${role}.` : `${name} is neither true nor false.`
        issues.push({column: columnOf(`addresses.${at}.${name}`), code: 'InvalidOperation', message})
      }
    }
  }
  return roles
}

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? value.filter((entry: unknown) => entry !== undefined) : undefined

/** Indices follow the addresses that moved; one that named a gap is an issue of its row. */
function moveIndices(
  draft: Document,
  kept: readonly number[] | undefined,
  [index, indices]: readonly [string, string],
  columnOf: (path: string) => string,
  issues: Issue[],
): void {
  const list = listOf(draft[indices])
  if (list) draft[indices] = list
  if (!kept) return
  const moved = (path: string, value: unknown): unknown => {
    if (typeof value !== 'number') return value
    const at = kept.indexOf(value)
    if (at >= 0) return at
    const message = `The row has no address ${value}.`
    issues.push({column: columnOf(path), code: 'InvalidOperation', message})
    return undefined
  }
  if (draft[index] !== undefined) draft[index] = moved(index, draft[index])
  if (list) draft[indices] = list.map((value) => moved(indices, value)).filter((value) => value !== undefined)
}

function indexOfId(
  draft: Document,
  path: string,
  id: unknown,
  columnOf: (path: string) => string,
  issues: Issue[],
): number | undefined {
  const addresses = Array.isArray(draft['addresses']) ? (draft['addresses'] as unknown[]) : []
  const at = addresses.findIndex((address) => (address as {id?: unknown} | null)?.id === id)
  if (at >= 0 && typeof id === 'string') return at
  const message = `There is no address with the id ${typeof id === 'string' ? `'${id}'` : 'given'} in the row.`
  issues.push({column: columnOf(path), code: 'InvalidOperation', message})
  return undefined
}

/** Moves an exported member to its place in the draft; saying the same thing in both ways is an issue. */
function replace(
  draft: Document,
  from: string,
  to: string,
  convert: (value: unknown) => unknown,
  columnOf: (path: string) => string,
  issues: Issue[],
): void {
  if (!Object.hasOwn(draft, from)) return
  const value = draft[from]
  delete draft[from]
  if (value === undefined || value === null) return
  if (draft[to] !== undefined) {
    const message = `The row has both '${from}' and '${to}'.`
    issues.push({column: columnOf(from), code: 'InvalidInput', message})
    return
  }
  const converted = convert(value)
  draft[to] = Array.isArray(converted) ? converted.filter((entry: unknown) => entry !== undefined) : converted
}
