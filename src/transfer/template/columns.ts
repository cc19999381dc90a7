import {readFileSync} from 'node:fs'
import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import type {Field} from '../../domain/field.js'
import {folded} from '../../domain/folded-text.js'
import {shipped} from '../../files/shipped.js'
import {holderOf, holds} from '../mapping/compiled-mapping.js'
import {addressClaims, eachElement, targetOf} from '../mapping/draft-shape.js'

const {people, others, joined, common, ...headerNames} = JSON.parse(
  readFileSync(shipped('src', 'transfer', 'presets', 'header-names.json'), 'utf8'),
) as Record<string, string>

/** The members that most tables have, those that find a customer first. */
export const commonMembers: readonly string[] = `${common}`.split(' ')

const firstAddress = 'addresses.0.'
const pairs = (member: string, names: readonly string[]) => names.map((name) => [folded(name), member] as const)
const namesOf = (fields: readonly Field[], prefix = '') =>
  fields.flatMap(({name, aliases = []}) => pairs(prefix + name, [...aliases, name]))

/**
 * What people call the members, folded; in German, French, Spanish, Italian, Dutch and Polish as well. The customer's own
 * come before an address's, and English before the others. `name` is a whole name, `hash` what is made of a password, `login` no name.
 */
const words: ReadonlyMap<string, string> = new Map([
  ...namesOf(addressFields, firstAddress),
  ...Object.entries(headerNames).flatMap(([member, names]) => pairs(member, names.split(' '))),
  ...addressFields.flatMap(({name, ...field}) => pairs(firstAddress + name, 'aliases' in field ? field.aliases : [])),
  ...namesOf(fieldRows),
])

/** Words for an address itself, and for a person: they tell nothing of what stands beside them. */
const ofAddress: ReadonlySet<string> = new Set(['address', 'addr', 'adresse', 'anschrift'])
const plainWords: ReadonlySet<string> = new Set([...ofAddress, ...`${people}`.split(' ')])
/** Words for what is neither the customer nor where it lives. */
const isOther = (around: string): boolean => new RegExp(`\\b(?:${others})\\b`).test(around)
/** What is written in one word with those behind it. */
const joinedWords = new RegExp(`^(${joined})(?=\\p{L}{2})`, 'iu')

/** The words of a header: `POAddressLine1` is `po address line 1`. */
const tokensOf = (name: string): string[] =>
  name
    .replace(joinedWords, '$1 ')
    .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})|(\p{L})(\p{N})/gu, '$1$3$5 $2$4$6')
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => folded(word) || [])
    .slice(0, mostTokens)
const mostTokens = 8

/** The object that a column is in, and its name there; an object that is a person is none of its own. */
function placeOf(column: string): readonly [object: string, name: string] {
  const holder = holderOf(column)
  const isWord = !column.includes(eachElement) && words.has(folded(column))
  if (isWord || !holder.endsWith('.') || holder === column) return ['', column]
  const isOwn = holder.split('.').some((name) => name !== '' && !plainWords.has(folded(name)))
  return [isOwn ? holder : '', column.slice(holder.length)]
}

/** The name of a member that is a row. */
const memberName = '@name'

const identifiers: readonly string[] = ['key', 'customerNumber', 'externalId']
/** Which columns may be the id of a customer, the likeliest first; undefined for any other. */
export function idRank(column: string): number | undefined {
  const [object, name] = placeOf(column)
  const tokens = tokensOf(name)
  if (column === memberName || object !== '') return object === '' ? 1 : undefined
  const byMember = identifiers.indexOf(words.get(tokens.join('')) ?? '')
  if (byMember >= 0) return name === 'key' ? 0 : byMember + (name.startsWith('@') ? 1.5 : 1)
  if (/(?:^| )(?:login|user ?name|sub)$/.test(tokens.join(' '))) return 4
  if (isOther(tokens.join(' ')) || /\b(?:address|billing|shipping)\b/.test(tokens.join(' '))) return undefined
  const [first = '', ...more] = tokens.filter((token) => !plainWords.has(token))
  if ([first, ...more].some((token) => /^(?:id|uid|guid|uuid)$/.test(token))) return more.length === 0 ? 1 : 5
  return more.length === 0 && tokens.length > 1 && /^(?:no|nr|number|num|code)$/.test(first) ? 2 : undefined
}

/** One way to read a header: a word of the table, and what stands around it. */
interface Reading {
  readonly column: string
  readonly member: string
  readonly object: string
  readonly affix: string
  readonly length: number
  /** The word around it that says that it is an address's; nothing around it. */
  readonly isOfAddress: boolean
  readonly isWhole: boolean
}

function readingsOf(column: string, columns: ReadonlySet<string>): readonly Reading[] {
  const named = column.replace(/\.(?:code|iso(?:_?code)?(?:_?2)?)$/i, '')
  const [object, name] = placeOf(named)
  // `Street (2)` is the second column `Street` of a table.
  const [, first = name, number = ''] = /^(.+) \((\d)\)$/.exec(name) ?? []
  const copy = columns.has(object + first) ? number : ''
  const tokens = column === memberName ? [] : tokensOf(copy === '' ? name : first)
  return tokens.flatMap((_, from) =>
    tokens.flatMap((_, end): Reading[] => {
      const member = words.get(tokens.slice(from, end + 1).join(''))
      const around = tokens.toSpliced(from, end + 1 - from)
      const affix = [...around.filter((token) => !plainWords.has(token)), ...(copy === '' ? [] : copy)].join(' ')
      if (end < from || member === undefined || isOther(affix.replace(/^default\b/, ''))) return []
      const isOfAddress = around.some((token) => ofAddress.has(token))
      const isWhole = around.length === 0 && affix === ''
      return [{column, member, object, affix, length: end - from, isOfAddress, isWhole}]
    }),
  )
}

const groupOf = ({object, affix}: Reading): string => `${object}\n${affix}`

/** The reading of each column that most columns share: behind a prefix, or before a suffix, with others like it. */
function chosenReadings(columns: readonly string[]): readonly Reading[] {
  const all = new Set(columns)
  const readings = columns.map((column) => readingsOf(column, all))
  const members = new Map<string, Set<string>>()
  for (const reading of readings.flat())
    members.set(groupOf(reading), (members.get(groupOf(reading)) ?? new Set()).add(reading.member))
  const score = (reading: Reading): number => {
    const size = members.get(groupOf(reading))?.size ?? 0
    // `Street 2` is a second line, unless `City 2` and others stand beside it.
    const isNumbered = /^\d$/.test(reading.affix) && size > 2
    const base = isNumbered ? 2000 : reading.isWhole ? 1000 : reading.affix === '' ? 500 : size
    return base + reading.length / 10
  }
  return readings.flatMap((own) => own.toSorted((one, other) => score(other) - score(one))[0] ?? [])
}

/** What a customer calls otherwise than its address does. */
const renamed: Readonly<Record<string, string>> = {companyName: 'company', key: '', externalId: ''}
const addressMembers: ReadonlySet<string> = new Set([
  ...addressFields.map(({name}) => name),
  ...Object.keys(addressClaims),
  'name',
])

function inAddress({member, object, affix, isOfAddress}: Reading): string | undefined {
  if (object + affix === '' && !isOfAddress && !member.startsWith(firstAddress)) return undefined
  const name = member.replace(firstAddress, '')
  return addressMembers.has(renamed[name] ?? name) ? (renamed[name] ?? name) : undefined
}

/** An address: the object or the words that its columns share, and its members. */
interface Address {
  readonly object: string
  readonly affix: string
  readonly members: ReadonlyMap<string, string>
}

/** The addresses of rows; a country alone may be anything, but for the row itself. */
function addressesOf(readings: readonly Reading[]): readonly Address[] {
  const groups = new Map<string, Address & {members: Map<string, string>}>()
  for (const reading of readings) {
    const {object, affix, column} = reading
    const own = inAddress(reading)
    const group = groups.get(groupOf(reading)) ?? {object, affix, members: new Map<string, string>()}
    if (own === undefined || group.members.has(own)) continue
    groups.set(groupOf(reading), group)
    group.members.set(own, column)
  }
  const found = [...groups.values()].filter(({object, affix, members}) => {
    const isTelling = ['streetName', 'postalCode', 'city'].some((member) => members.has(member))
    if (object + affix === '') return isTelling || members.has('country')
    return isTelling && (object === '' ? members.size > 1 : affix === '')
  })
  const outer = found.filter(({object}) => !found.some((one) => one.object !== object && holds(one.object, object)))
  return outer.toSorted((one, other) => Number(one.affix !== '') - Number(other.affix !== ''))
}

const ownList = `addresses.${eachElement}.`

/**
 * Finds the members that columns mean: columns to their targets; places of addresses, and the words around their names,
 * such as `billing`; and columns of phones, and of other members of an address, that belong to no address. Members behind
 * one prefix, in one object, list or row are one address.
 */
export function placedColumns(columns: readonly string[]) {
  const readings = chosenReadings(columns.filter((column) => !/^addresses\.\d+\./.test(column)))
  const placed = new Map<string, readonly string[]>()
  const addresses: {place: string; words: string}[] = []
  const found = addressesOf(readings)
  const flat = found.filter(({object}) => object === '')
  const hasList = found.some(({object}) => object === ownList)
  for (const address of found) {
    const {object, affix, members} = address
    const isNumbered = object === '' && !hasList
    const isBeside = !isNumbered && found.length > 1 && object !== ownList
    const own = object.includes(eachElement) ? eachElement : '0'
    const place = isNumbered ? `${flat.indexOf(address)}` : isBeside ? '+' : own
    const isNone = isBeside && (!members.has('country') || (object === '' && address !== flat[0]))
    if (!isNone) addresses.push({place, words: object.slice(0, -1) || affix})
    const names = members.has('firstName') || members.has('lastName') ? [] : ['firstName', 'lastName']
    for (const [member, column] of members) {
      const targets = (member === 'name' ? names : [member]).map((name) => `addresses.${place}.${name}`)
      placed.set(column, isNone ? [] : targetOf(column) ? [column] : targets)
    }
  }
  for (const column of columns) if (targetOf(column) && !placed.has(column)) placed.set(column, [column])
  return {placed, addresses, loose: placeOfCustomer(readings, placed)}
}

const plainNames: ReadonlySet<string> = new Set(fieldRows.flatMap(({name}) => (identifiers.includes(name) ? [] : name)))

/** Places the members of customers; returns what would be of an address. An id within an object may be anybody's. */
function placeOfCustomer(readings: readonly Reading[], placed: Map<string, readonly string[]>): Map<string, string> {
  const taken = new Set([...placed.values()].flat())
  const loose = new Map<string, string>()
  const rank = ({object, isWhole}: Reading): number => (object === '' ? (isWhole ? 0 : 1) : 2)
  const open = readings
    .filter(({column, affix, object}) => affix === '' && !placed.has(column) && !object.includes(eachElement))
    .toSorted((one, other) => rank(one) - rank(other))
  for (const {column, member, object} of open) {
    const isNone = member === 'key' || !(targetOf(member) || member === 'hash')
    if (isNone || (object !== '' && !plainNames.has(member))) continue
    if (member.startsWith('addresses.')) loose.set(column, member)
    else if (!taken.has(member) || member === 'hash') placed.set(column, [member])
    taken.add(member)
  }
  const whole = open.find(({column, member, object}) => member === 'name' && object === '' && !placed.has(column))
  const names = ['firstName', 'lastName'].filter((name) => !taken.has(name))
  // Where nothing else is the email of the customer, that of an address is.
  const isEmail = ({member, object}: Reading): boolean => member === 'email' && !object.includes(eachElement)
  const email = taken.has('email') ? undefined : readings.find(isEmail)
  if (email) placed.set(email.column, ['email', ...(placed.get(email.column) ?? [])])
  // Beside a first name, the name is the last one.
  if (whole && names.includes('lastName')) placed.set(whole.column, names)
  return loose
}
