import {type Address, addressRoles, type Customer} from './customer.js'
import type {DesiredAddress, DesiredCustomer} from './desired-customer.js'
import {hasRole, matchAddresses, paired, plainMembers} from './diff-addresses.js'
import {type Covers, completedAddress, coveredPart} from './partial-row.js'
import {heldReference, type MergeOptions, referenceName, textOf, type Written, type WrittenAddress} from './written.js'

type Digest = (text: string) => string

const arePlain: ReadonlySet<string> = new Set(plainMembers)

/** A file that has every member. */
const all: Covers = () => true

function memberDigests(address: Address | DesiredAddress, digest: Digest): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name in address) {
    const text = arePlain.has(name) ? textOf((address as Readonly<Record<string, unknown>>)[name]) : undefined
    if (text) found[name] = digest(text)
  }
  return found
}

/** Fields with their type; none, or as the address names its type. */
function customTexts(custom: Address['custom'] | DesiredAddress['custom'], types: readonly (string | undefined)[]) {
  if (!custom) return ['']
  const fields = textOf(custom.fields)
  return types.map((type) => (type === undefined || fields === undefined ? undefined : `${type} ${fields}`))
}

/** What a row writes of addresses, and which it makes the defaults. */
export function writtenAddresses(desired: DesiredCustomer, digest: Digest) {
  const addresses: WrittenAddress[] = []
  for (const [at, address] of (desired.addresses ?? []).entries()) {
    const written: Record<string, string> = memberDigests(address, digest)
    const [custom] = customTexts(address.custom, [referenceName(address.custom?.type)])
    if (custom !== '') written['custom'] = custom === undefined ? '?' : digest(custom)
    for (const role of addressRoles) {
      if (desired[role.indices]) written[role.indices] = `${Number(hasRole(desired, role, at))}`
    }
    addresses.push(written)
  }
  const defaults: Record<string, string> = {}
  for (const {defaultIndex} of addressRoles) {
    const at = desired[defaultIndex]
    if (at !== undefined) defaults[defaultIndex] = `${at ?? ''}`
  }
  return {addresses, defaults}
}

/** How alike an address is to one that was written: all of it, or so many members. */
function likeness(members: WrittenAddress, written: WrittenAddress): number {
  const names = plainMembers.filter((name) => members[name] !== undefined || written[name] !== undefined)
  const same = names.filter((name) => members[name] === written[name]).length
  if (same === names.length) return Number.POSITIVE_INFINITY
  // Addresses with different keys are different ones, and those with one key are one.
  if (members['key'] !== undefined && members['key'] === written['key']) return 1000
  return members['key'] !== undefined && written['key'] !== undefined ? 0 : same
}

/** Which written address each one comes from, by their places. */
const origins = (addresses: readonly WrittenAddress[], written: readonly WrittenAddress[]) =>
  paired(
    [...addresses.keys()],
    [...written.keys()],
    (at, from) => likeness(addresses[at] as WrittenAddress, written[from] as WrittenAddress) || undefined,
  )

interface Entry {
  readonly address: DesiredAddress
  readonly row?: number
  readonly held?: Address
  readonly from?: number
}

/**
 * The addresses of a row beside those that stay: what no run has brought, and what somebody else has changed or removed.
 * An address is one thing: it stays or changes whole.
 */
export function mergedAddresses(
  current: Customer,
  desired: DesiredCustomer,
  written: Written | undefined,
  options: MergeOptions & {readonly digest: Digest},
): {readonly desired: Partial<DesiredCustomer>; readonly kept: readonly string[]} {
  const {digest, addresses: policy} = options
  // No address at all is said on purpose: a file that says nothing of addresses has no list of them.
  const covers = (desired.addresses?.length && options.covers) || all
  const base = policy === 'add' ? undefined : written?.addresses?.map((address) => coveredDigests(address, covers))
  if (desired.addresses === undefined || (!base && policy !== 'add' && covers === all)) return {desired: {}, kept: []}
  const rows = desired.addresses ?? []
  const parts = new Map(current.addresses.map((address) => [address, coveredPart(address, covers)]))
  const partOf = (address: Address): Address => parts.get(address) as Address
  const held = [...parts.values()].map((address) => memberDigests(address, digest))
  const heldFrom = origins(held, base ?? [])
  const rowFrom = origins(
    rows.map((address) => memberDigests(address, digest)),
    base ?? [],
  )
  const heldOf = new Map([...heldFrom].map(([at, from]) => [from, current.addresses[at]] as const))
  const isNewer = (address: Address, from: number): boolean => {
    const one = base?.[from] ?? {}
    if (likeness(memberDigests(partOf(address), digest), one) !== Number.POSITIVE_INFINITY) return true
    const custom = one['custom'] ?? digest('')
    const now = customTexts(partOf(address).custom, heldReference(address.custom?.type))
    return custom !== '?' && !now.some((text) => text !== undefined && digest(text) === custom)
  }
  // Without a memory of a run, an address of the file is the one of the customer that is most like it.
  const alike = base || policy === 'add' ? undefined : matchAddresses([...parts.values()], rows)
  const likeOf = (address: DesiredAddress) => current.addresses.find(({id}) => id === alike?.get(address)?.id)
  const kept: string[] = []
  const entries: Entry[] = []
  const met = new Set<Address>()
  for (const [row, address] of rows.entries()) {
    const from = rowFrom.get(row)
    const one =
      from === undefined
        ? (likeOf(address) ??
          current.addresses.find(
            (held, at) => !heldFrom.has(at) && !met.has(held) && meansSame(partOf(held), address, digest),
          ))
        : heldOf.get(from)
    if (one) met.add(one)
    const also = {row, ...(from === undefined ? {} : {from}), ...(one ? {held: one} : {})}
    if (!one && from !== undefined && options.keepsNewer) kept.push(`addresses.${row}`)
    else if (one && from !== undefined && options.keepsNewer && isNewer(one, from)) {
      if (!isSame(partOf(one), address, digest)) kept.push(`addresses.${row}`)
      entries.push({...also, address: itself(one)})
    } else entries.push({...also, address: one ? completedAddress(one, address, covers) : address})
  }
  for (const [at, held] of current.addresses.entries()) {
    if (met.has(held)) continue
    const from = heldFrom.get(at)
    const stays = from === undefined ? policy !== 'replace' : options.keepsNewer && isNewer(held, from)
    if (stays) entries.push({address: itself(held), held, ...(from === undefined ? {} : {from})})
    if (stays && from !== undefined) kept.push('addresses')
  }
  const roles = mergedRoles(current, desired, written, {entries, keepsNewer: options.keepsNewer, heldFrom})
  return {
    desired: {addresses: entries.map(({address}) => address), ...roles.desired},
    kept: [...new Set([...kept, ...roles.kept])],
  }
}

const coveredDigests = (address: WrittenAddress, covers: Covers): WrittenAddress =>
  covers === all
    ? address
    : Object.fromEntries(
        Object.entries(address).filter(
          ([name]) => !(arePlain.has(name) || name === 'custom') || covers(`addresses.*.${name}`),
        ),
      )

const itself = (address: Address): DesiredAddress => address as unknown as DesiredAddress

/** A key that stands for a new address until it has its roles: a run that was killed leaves it. */
const temporaryKey = /^new-address-\d+$/

function meansSame(held: Address, wanted: DesiredAddress, digest: Digest): boolean {
  if (held.key !== undefined && held.key === wanted.key) return true
  const {key, ...rest} = held
  const isTemporary = key !== undefined && !wanted.key && temporaryKey.test(key)
  return isSame(isTemporary ? rest : held, wanted, digest)
}

function isSame(held: Address, wanted: DesiredAddress, digest: Digest): boolean {
  if (likeness(memberDigests(held, digest), memberDigests(wanted, digest)) !== Number.POSITIVE_INFINITY) return false
  const [custom] = customTexts(wanted.custom, [referenceName(wanted.custom?.type)])
  return custom !== undefined && customTexts(held.custom, heldReference(held.custom?.type)).includes(custom)
}

interface Roles {
  readonly entries: readonly Entry[]
  readonly keepsNewer: boolean
  readonly heldFrom: ReadonlyMap<number, number>
}

/** The roles of the row at the new places; those that somebody else gave or took stay so. */
function mergedRoles(current: Customer, desired: DesiredCustomer, written: Written | undefined, roles: Roles) {
  const {entries, keepsNewer, heldFrom} = roles
  const kept: string[] = []
  const result: Record<string, unknown> = {}
  const placeOf = (row: number): number => entries.findIndex((entry) => entry.row === row)
  for (const role of addressRoles) {
    const list = desired[role.indices]
    if (list) {
      result[role.indices] = entries.flatMap((entry, at) => {
        const has = entry.held !== undefined && current[role.ids].includes(entry.held.id)
        if (entry.row === undefined) return has ? [at] : []
        const before = entry.from === undefined ? undefined : written?.addresses?.[entry.from]?.[role.indices]
        const wants = hasRole(desired, role, entry.row)
        const isNewer = keepsNewer && entry.held !== undefined && before !== undefined && before !== `${Number(has)}`
        if (isNewer && wants !== has) kept.push(role.indices)
        return (isNewer ? has : wants) ? [at] : []
      })
    }
    const main = desired[role.defaultIndex]
    if (main === undefined) continue
    const before = written?.members[role.defaultIndex]
    const heldAt = current.addresses.findIndex(({id}) => id === current[role.byDefault])
    const now = heldAt < 0 ? '' : `${heldFrom.get(heldAt) ?? 'another'}`
    const isNewer = keepsNewer && before !== undefined && before !== now
    const at = main === null ? null : placeOf(main)
    const isWanted = main === null ? heldAt < 0 : entries[at ?? -1]?.held?.id === current[role.byDefault] && heldAt >= 0
    if (isNewer && !isWanted) kept.push(role.defaultIndex)
    // An address that is gone is the default of nobody.
    result[role.defaultIndex] = isNewer || at === -1 ? undefined : at
  }
  return {desired: result as Partial<DesiredCustomer>, kept}
}
