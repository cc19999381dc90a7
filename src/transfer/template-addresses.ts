import {addressFields} from '../domain/address-fields.js'
import {holderOf, holds} from './mapping/compiled-mapping.js'
import {eachElement, targetOf} from './mapping/draft-shape.js'
import {foldedName} from './mapping/languages.js'

/** Members that say that an object, or a row, is an address; a country alone may be anything. */
const telling: ReadonlySet<string> = new Set(['streetName', 'postalCode', 'city'])
const ownNames: ReadonlySet<string> = new Set(addressFields.map(({name}) => name))

/** What a customer calls otherwise than its address does. */
const renamed: Readonly<Record<string, string>> = {companyName: 'company', mobilephone: 'mobile'}

/** The member of an address that the last word of a path means; of `country.code`, the word before it. */
function memberOf(word: string, known: ReadonlyMap<string, string>): string | undefined {
  if (ownNames.has(word)) return word === 'id' || word === 'key' ? undefined : word
  const target = known.get(foldedName(word)) ?? ''
  const member = target.replace(/^addresses\.\d+\./, '')
  const name = renamed[member] ?? member
  return ownNames.has(name) && name !== 'key' ? name : undefined
}

/**
 * Where the members of addresses go, by column. The members of one object, list or row are one address, or one list of
 * them: several such sources get places of their own, and one without a country beside others gets none (`undefined`).
 */
export function placedAddresses(
  columns: readonly string[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string | undefined> {
  const sources = new Map<string, Map<string, string>>()
  for (const column of columns) {
    const named = column.replace(/\.(?:code|iso(?:_?code)?(?:_?2)?)$/i, '')
    const holder = holderOf(named)
    const isOwnIndex = /^addresses\.\d+\.$/.test(holder)
    // A word of the row that means the customer is none of an address.
    const isOfRow = !holder.endsWith('.') && !(known.get(foldedName(named)) ?? '').startsWith('addresses.')
    const word = named.slice(holder.endsWith('.') ? holder.length : 0)
    const member = isOwnIndex || isOfRow ? undefined : memberOf(word, known)
    if (member === undefined) continue
    const members = sources.get(holder) ?? new Map<string, string>()
    sources.set(holder, members)
    if (!members.has(member)) members.set(member, column)
  }
  const isAddress = ([holder, members]: readonly [string, ReadonlyMap<string, string>]): boolean =>
    !holder.endsWith('.') || [...members.keys()].some((member) => telling.has(member))
  const found = [...sources].filter(isAddress)
  const outer = found.filter(([holder]) => !found.some(([other]) => other !== holder && holds(other, holder)))
  const placed = new Map<string, string | undefined>()
  for (const [holder, members] of outer) {
    const isBeside = outer.length > 1 && holder !== `addresses.${eachElement}.`
    const index = isBeside ? '+' : holder.includes(eachElement) ? eachElement : '0'
    for (const [member, column] of members) {
      const target = `addresses.${index}.${member}`
      placed.set(column, isBeside && !members.has('country') ? undefined : targetOf(column) ? column : target)
    }
  }
  return placed
}
