import {isObject} from '../../domain/equal.js'
import type {Issue} from '../input/row.js'
import {addressClaims} from './draft-shape.js'
import type {Document} from './paths.js'

/** What a draft says by index, and an exported customer by the ids of its addresses. */
const roles = ['Shipping', 'Billing'].map((role) => ({
  index: `default${role}Address`,
  indices: `${role.toLowerCase()}Addresses`,
  id: `default${role}AddressId`,
  ids: `${role.toLowerCase()}AddressIds`,
}))

/** Whether a password is what exports of the service show in its place. */
export const isMask = (password: unknown): boolean => typeof password === 'string' && password.startsWith('****')

type Tell = (path: string, message: string, code?: string) => void

/**
 * Reads a document that is a draft or an exported customer as a draft, not yet checked: addresses named by index, masks gone.
 * `document` is taken over. `masked`: the password, or its hash, was a mask and counts as absent.
 */
export function draftOf(document: Document, columnOf: (path: string) => string) {
  const draft = document
  const issues: Issue[] = []
  const tell: Tell = (path, message, code = 'InvalidOperation') => issues.push({column: columnOf(path), code, message})
  const masks = ['password', 'passwordHash'].filter((name) => isMask(draft[name]))
  for (const name of masks) delete draft[name]
  const kept = closeGaps(draft)
  const claimed = claimedRoles(addressesOf(draft), tell)
  /** An index follows its address if that moved; one that names a gap, or nobody by its key, is an issue of its row. */
  const inRow = (path: string) => (value: unknown) => {
    if (typeof value === 'string') return indexBy('key', addressesOf(draft), value, path, tell)
    if (typeof value !== 'number' || !kept) return value
    if (kept.includes(value)) return kept.indexOf(value)
    tell(path, `The row has no address ${value}.`)
    return undefined
  }
  for (const {index, indices, id, ids} of roles) {
    if (![index, indices, id, ids].some((name) => name in draft)) continue
    if (draft[index] !== undefined) draft[index] = inRow(index)(draft[index])
    if (Array.isArray(draft[indices])) draft[indices] = present(present(draft[indices]).map(inRow(indices)))
    const at = (path: string) => (value: unknown) => indexBy('id', addressesOf(draft), value, path, tell)
    replace(draft, id, index, at(id), tell)
    replace(
      draft,
      ids,
      indices,
      (list) => (Array.isArray(list) ? present(present(list).map(at(ids))) : tell(ids, `${ids} is not a list.`)),
      tell,
    )
  }
  for (const [role, at] of claimed) draft[role] = at
  for (const list of ['stores', 'customerGroupAssignments']) {
    if (Array.isArray(draft[list])) draft[list] = present(draft[list])
  }
  return {draft, issues, masked: masks.length > 0}
}

export const addressesOf = ({addresses}: Document): unknown[] => (Array.isArray(addresses) ? addresses : [])
const present = (list: readonly unknown[]): unknown[] => list.filter((entry) => entry !== undefined)

/** A table may fill `addresses.1` and leave `addresses.0` empty. Returns the old indices that remain, in order. */
function closeGaps(draft: Document): readonly number[] | undefined {
  const addresses = addressesOf(draft)
  // It finds holes too, which every other method of arrays but `keys` skips.
  if (!addresses.includes(undefined)) return undefined
  const kept = [...addresses.keys()].filter((at) => addresses[at] !== undefined)
  // No address at all is not an empty list, which would take away what the customer has.
  if (kept.length === 0) delete draft['addresses']
  else draft['addresses'] = kept.map((at) => addresses[at])
  return kept
}

const claims = Object.entries(addressClaims)

const contacts: ReadonlySet<string> = new Set(['phone', 'mobile', 'fax', 'email'])

/** Takes out addresses with nothing but a role or a phone, which are none; returns the paths of what is lost with them. */
export function dropLoneMembers(document: Document): string[] {
  const addresses = addressesOf(document)
  return addresses.flatMap((address, at) => {
    const members = isObject(address) ? Object.keys(address) : []
    if (members.length === 0 || !members.every((name) => name in addressClaims || contacts.has(name))) return []
    addresses[at] = undefined
    return members.flatMap((name) => (contacts.has(name) ? `addresses.${at}.${name}` : []))
  })
}

function claimedRoles(addresses: readonly unknown[], tell: Tell): ReadonlyMap<string, number> {
  const claimed = new Map<string, number>()
  for (const [at, address] of addresses.entries()) {
    if (!isObject(address)) continue
    for (const [name, role] of claims) {
      // To delete what is not there takes as long as to delete.
      if (!Object.hasOwn(address, name)) continue
      const claim = address[name]
      delete (address as Document)[name]
      const twice = claim === true && claimed.has(role)
      if (claim === true && !twice) claimed.set(role, at)
      else if (twice) tell(`addresses.${at}.${name}`, `Two addresses of the row are its ${role}.`)
      else if (claim !== false && claim !== undefined)
        tell(`addresses.${at}.${name}`, `${name} is neither true nor false.`)
    }
  }
  return claimed
}

/** The index of the address that a role names by its id, as a project does, or by its key. */
function indexBy(
  member: 'id' | 'key',
  addresses: readonly unknown[],
  name: unknown,
  path: string,
  tell: Tell,
): number | undefined {
  const isNamed = (address: unknown): boolean => isObject(address) && address[member] === name
  const at = typeof name === 'string' ? addresses.findIndex(isNamed) : -1
  if (at >= 0) return at
  tell(path, `There is no address with the ${member} ${typeof name === 'string' ? `'${name}'` : 'given'} in the row.`)
  return undefined
}

/** Moves an exported member to its place in the draft; saying the same thing in both ways is an issue. */
function replace(draft: Document, from: string, to: string, convert: (value: unknown) => unknown, tell: Tell): void {
  if (!Object.hasOwn(draft, from)) return
  const value = draft[from]
  delete draft[from]
  if (value === undefined || value === null) return
  if (draft[to] === undefined) draft[to] = convert(value)
  else tell(from, `The row has both '${from}' and '${to}'.`, 'InvalidInput')
}
