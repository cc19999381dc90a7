import type {Attribution} from '../../domain/customers/customer.js'
import {capital, defined, equal} from '../../domain/equal.js'
import {type Difference, differences} from '../customers/preview.js'
import {messageTypeText} from '../output/views.js'
import type {HistoryEvent} from './event.js'

export interface CustomerMessage {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly sequenceNumber?: number
  readonly resourceVersion?: number
  readonly resource?: {readonly typeId: string; readonly id: string}
  readonly createdBy?: Attribution
  readonly expiresAt?: string
  readonly reset?: boolean
  readonly invalidateOlderTokens?: boolean
}

/** Members of every message, and of tokens, which say nothing of what changed. */
const envelope = new Set(
  (
    'id version sequenceNumber resource resourceVersion resourceUserProvidedIdentifiers type createdAt lastModifiedAt ' +
    'createdBy lastModifiedBy customerId expiresAt value addressRoles reset'
  ).split(' '),
)

/** Messages in the order in which they were stored, as events. */
export function messageEvents(
  messages: readonly CustomerMessage[],
  customerId: string,
  options: EndOptions,
): HistoryEvent[] {
  const known = new Map<string, unknown>()
  const sorted = [...messages].sort(inOrder)
  return sorted.map((message, at) => {
    // Tokens are resources of their own: what their messages say is no member of the customer.
    const isOfCustomer = message.resource?.typeId === 'customer'
    const changes = isOfCustomer ? changesOf(message, known) : []
    return {
      time: message.createdAt,
      origin: 'message',
      type: message.type,
      what: wordsOf(message),
      who: whoDid(message.createdBy, customerId),
      ...defined({
        changes: changes.length > 0 ? changes : undefined,
        version: isOfCustomer ? message.resourceVersion : undefined,
        ...(endsLinks(message) ? {} : {expiresAt: message.expiresAt, ...endOf(at, message, sorted, options)}),
      }),
    }
  })
}

function wordsOf(message: CustomerMessage): string {
  if (message.type === 'CustomerPasswordUpdated' && message.reset) return 'password reset'
  const token = tokens.get(message.type)
  return token && endsLinks(message) ? `${token.purpose} links ended` : messageTypeText(message.type)
}

type Purpose = 'password' | 'email'

interface EndOptions {
  /** Whether a token is open, if the server tells. */
  readonly isOpen?: ((purpose: Purpose, expiresAt: string) => boolean) | undefined
  readonly now: number
}

/** What tells of a one-time token, of its use, and of what ends it unused. */
const tokens: ReadonlyMap<string, {readonly purpose: Purpose; readonly use: string; readonly ends: string}> = new Map([
  [
    'CustomerPasswordTokenCreated',
    {purpose: 'password', use: 'CustomerPasswordUpdated', ends: 'CustomerPasswordUpdated'},
  ],
  ['CustomerEmailTokenCreated', {purpose: 'email', use: 'CustomerEmailVerified', ends: 'CustomerEmailChanged'}],
])

/** A token that is used so soon was made by the command that used it, not sent to anybody. */
const atOnceMs = 3000

/** Whether a token was made to end those before it: nobody has such a one, and it ends in a minute. */
const endsLinks = ({createdAt, expiresAt = '', invalidateOlderTokens}: CustomerMessage): boolean =>
  invalidateOlderTokens === true && Date.parse(expiresAt) - Date.parse(createdAt) <= 60_000

/** How a token ended, as later messages and the server tell; nothing for one that is open. */
function endOf(
  at: number,
  {type, expiresAt, createdAt}: CustomerMessage,
  sorted: readonly CustomerMessage[],
  {isOpen, now}: EndOptions,
): Pick<HistoryEvent, 'ended' | 'endedAt'> {
  const token = tokens.get(type)
  if (!token || expiresAt === undefined || isOpen?.(token.purpose, expiresAt)) return {}
  const isEnd = (one: CustomerMessage) =>
    [token.use, token.ends].includes(one.type) || (one.type === type && one.invalidateOlderTokens === true)
  const endAt = sorted.findIndex((one, place) => place > at && isEnd(one))
  const end = sorted[endAt]
  if (end && end.createdAt < expiresAt) {
    const isUse = end.type === token.use && (token.purpose === 'email' || end.reset === true)
    const before = sorted.slice(0, endAt)
    const open = before.slice(Math.max(0, before.findLastIndex(isEnd)))
    // Of several that were open, one was used, and nothing tells which.
    const isAlone = open.filter((one) => one.type === type && (one.expiresAt ?? '') > end.createdAt).length === 1
    const isAtOnce = Date.parse(end.createdAt) - Date.parse(createdAt) < atOnceMs
    return {ended: isUse && (isAlone || isAtOnce) ? 'used' : 'ended', endedAt: end.createdAt}
  }
  if (Date.parse(expiresAt) <= now) return {ended: 'expired', endedAt: expiresAt}
  return isOpen ? {ended: 'ended'} : {}
}

const inOrder = (a: CustomerMessage, b: CustomerMessage): number =>
  a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : (a.sequenceNumber ?? 0) - (b.sequenceNumber ?? 0)

export function whoDid(by: Attribution | undefined, customerId: string): string {
  if (by?.externalUserId !== undefined) return `user ${by.externalUserId}`
  if (by?.customer?.id === customerId) return 'the customer'
  if (by?.clientId !== undefined) return `client ${by.clientId}`
  return by?.isPlatformClient ? 'the platform' : ''
}

/** Differences that a message makes to what was `known` before it, which it then brings up to date. */
function changesOf(message: CustomerMessage, known: Map<string, unknown>): Difference[] {
  const payload = Object.entries(message).filter(([name]) => !envelope.has(name))
  if (message.type === 'CustomerCreated') {
    for (const [, customer] of payload) for (const [name, value] of membersOf(customer)) known.set(name, value)
    return []
  }
  return placesOf(message.type, payload).flatMap(({path, after, before, isEntry}) => {
    const old = before ?? (isEntry ? undefined : known.get(path))
    known.set(path, after)
    return equal(old, after) ? [] : differences(defined({[path]: old}), defined({[path]: after}))
  })
}

/** The members of a customer that messages replace one by one; each address is one of them. */
function membersOf(customer: unknown): readonly (readonly [string, unknown])[] {
  if (typeof customer !== 'object' || customer === null) return []
  return Object.entries(customer).flatMap(([name, value]) =>
    name === 'addresses' && Array.isArray(value)
      ? value.map((address: {id?: string}) => [addressPath(address), address] as const)
      : [[name, value] as const],
  )
}

const addressPath = ({id}: {readonly id?: string}): string => `address ${id ?? ''}`.trim()

interface Place {
  readonly path: string
  readonly after: unknown
  readonly before?: unknown
  /** One of a list, which came or went. */
  readonly isEntry?: true
}

/** Which member a message is about, what it is now, and what it was if the message says so. */
function placesOf(type: string, payload: readonly (readonly [string, unknown])[]): readonly Place[] {
  const members = new Map(payload)
  const address = members.get('address') as {readonly id?: string} | undefined
  if (address) {
    const isGone = type.endsWith('Removed')
    return [{path: addressPath(address), after: isGone ? undefined : address, ...(isGone ? {before: address} : {})}]
  }
  const assignment = members.get('customerGroupAssignment')
  if (assignment) {
    const side = type.endsWith('Removed') ? 'before' : 'after'
    return [{path: 'customerGroupAssignment', after: undefined, [side]: assignment, isEntry: true}]
  }
  const name = members.get('name')
  if (type.includes('CustomField') && typeof name === 'string') {
    return [{path: `custom.fields.${name}`, after: members.get('value'), before: members.get('previousValue')}]
  }
  // Set to nothing, a member is not in the message.
  const set = /^Customer(\w+)Set$/.exec(type)?.[1]
  const unset = set === undefined ? undefined : set.charAt(0).toLowerCase() + set.slice(1)
  if (unset !== undefined && payload.length === 0) return [{path: unset, after: undefined}]
  return payload
    .filter(([member]) => !isOld(member, members))
    .map(([member, after]) => ({path: member, after, before: members.get(`old${capital(member)}`)}))
}

const isOld = (member: string, members: ReadonlyMap<string, unknown>): boolean =>
  /^old[A-Z]/.test(member) && members.has(member.charAt(3).toLowerCase() + member.slice(4))
