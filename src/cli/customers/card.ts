import type {Client} from '../../client/client.js'
import {addressFields} from '../../domain/address-fields.js'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {defined} from '../../domain/equal.js'
import {cellAt, cellText, listAt, valueAt} from '../output/fields.js'
import {spokenDay, spokenMoment} from '../output/times.js'
import {addressLines, messageTypeText, nameOf} from '../output/views.js'
import {counted, oneLine} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {emailChanged, messagesOfCard, type Recent} from './recent-messages.js'
import {relatedCount, relatedPage, type Unknown} from './related.js'
import {type Sessions, sessionsOf} from './sessions.js'

/** Everything about a customer that fits on one screen. */
export interface Card {
  readonly customer: Customer
  /** Absent: the messages may not be read. */
  readonly recentMessages?: Recent
  /** Absent: the server does not tell. */
  readonly sessions?: Sessions
  /** Quotes that wait for the customer. Absent: they may not be read. */
  readonly openQuotes?: number
  /** Names of the business units that the customer works for. Absent: they may not be read. */
  readonly businessUnits?: readonly string[]
  /** What the client may not read, what the target does not have, and what failed just now. Absent: nothing. */
  readonly notReadable?: readonly string[]
  readonly notServed?: readonly string[]
  readonly notAnswered?: readonly string[]
  readonly next: readonly string[]
}

export async function cardOf(run: Pick<Run, 'commandLine'>, client: Client, customer: Customer): Promise<Card> {
  const {id} = customer
  const pending = {where: ['customer(id = :id)', 'quoteState = "Pending"'], 'var.id': id}
  const [recent, sessions, openQuotes, businessUnits] = await Promise.all([
    messagesOfCard(client, id),
    sessionsOf(client, id),
    relatedCount(client, 'quotes', pending),
    businessUnitsOf(client, id),
  ])
  // Only servers of ours tell them.
  const ofSessions = sessions === 'failed' ? {sessions} : {}
  const asked = {messages: recent, quotes: openQuotes, 'business units': businessUnits, ...ofSessions}
  const unknown = unknownMembers.flatMap(([member, why]) => {
    const names = Object.entries(asked).flatMap(([what, answer]) => (answer === why ? [what] : []))
    return names.length === 0 ? [] : [[member, names] as const]
  })
  return {
    customer,
    ...Object.fromEntries(unknown),
    ...defined({recentMessages: known(recent), sessions: known(sessions), openQuotes: known(openQuotes)}),
    ...defined({businessUnits: known(businessUnits)}),
    next: nextSteps(customer, known(sessions), (words) =>
      run.commandLine(words, client.storeKey ?? customer.stores[0]?.key),
    ),
  }
}

/** The members of a card that say what is unknown, and why. */
const unknownMembers: readonly (readonly [member: keyof Card, why: Unknown, shown: string])[] = [
  ['notReadable', 'not readable', 'not readable'],
  ['notServed', 'not served', 'not served'],
  ['notAnswered', 'failed', 'failed just now'],
]

const known = <T>(answer: T | Unknown): T | undefined =>
  unknownMembers.some(([, why]) => why === answer) ? undefined : (answer as T)

/** Names of the business units whose employee the customer is, also of those below them. */
async function businessUnitsOf(client: Client, id: string): Promise<readonly string[] | Unknown> {
  const where = 'associates(customer(id = :id)) or inheritedAssociates(customer(id = :id))'
  const page = await relatedPage(client, 'business-units', {where, 'var.id': id, sort: 'name asc', limit: 10})
  return typeof page === 'string' ? page : page.results.map((unit) => cellAt(unit, 'name') || cellAt(unit, 'key'))
}

function nextSteps(
  {id, isEmailVerified, authenticationMode, addresses}: Customer,
  sessions: Sessions | undefined,
  commandLine: (words: readonly string[]) => string,
): string[] {
  const next = (...words: string[]): string => commandLine(['customers', ...words])
  // A token leaves somebody locked out who was; a new password does not.
  const unlocking = sessions?.lockedUntil === undefined ? [] : ['--set', '--generate-password']
  return [
    ...(isEmailVerified ? [] : [next('verify-email', id)]),
    ...(authenticationMode === 'Password' ? [next('reset-password', id, ...unlocking)] : []),
    ...(addresses.length === 0 ? [next('update', id, '--add-address', '{"country":"…"}')] : []),
  ]
}

/** Its title, empty for the first one, and its lines. */
export type CardSection = readonly [title: string, lines: readonly string[]]

/** The card as text: the lines of each section below its title. */
export const cardText = (card: unknown, now: number): string =>
  cardSections(card, now)
    .map(
      ([title, lines]) =>
        `${title === '' ? '' : `${title}\n`}${lines.map((line) => `${title === '' ? '' : '  '}${line}\n`).join('')}`,
    )
    .join('\n')

/**
 * The sections of a card. The document may be masked already: any member may be missing or a mask. A brief one leaves out
 * what callers do not speak of: version, ids of machines, and that the customer belongs to no store.
 */
export function cardSections(card: unknown, now: number, isBrief = false): CardSection[] {
  const customer = valueAt(card, 'customer')
  const own = (path: string): string => cellAt(customer, path)
  const unknown = unknownMembers.flatMap(([member, , shown]) => {
    const names = listAt(card, member).map(cellText)
    return names.length === 0 ? [] : [`${shown}  ${names.join(', ')}`]
  })
  const flags = [
    valueAt(customer, 'isEmailVerified') === true ? 'email verified' : 'email NOT verified',
    own('authenticationMode') === 'ExternalAuth' ? 'signs in externally' : 'signs in with a password',
    ...(own('locale') === '' ? [] : [`speaks ${own('locale')}`]),
    ...[emailChanged(card as Card, now)].flatMap((when) => (when === undefined ? [] : [`EMAIL CHANGED ${when}`])),
  ]
  const groups = [
    valueAt(customer, 'customerGroup'),
    ...listAt(customer, 'customerGroupAssignments').map((entry) => valueAt(entry, 'customerGroup')),
  ]
    .map((group) => cellAt(group, 'obj.name') || cellAt(group, 'id'))
    .filter((name) => name !== '')
  const sections: CardSection[] = [
    [
      '',
      [[nameOf(customer) || own('companyName') || '(no name)', own('email')].join('  '), flags.join(' · '), ...unknown],
    ],
    ['about', aboutLines(customer, listAt(card, 'businessUnits').map(cellText), isBrief)],
    ['sign-in', signInLines(card, now)],
    ['ids', isBrief ? pairs(customer, spokenIds) : [`id ${own('id')}`, ...pairs(customer, shownIds)]],
    ['groups', [...new Set(groups)]],
    ['stores', own('stores') !== '' ? [own('stores')] : isBrief ? [] : ['(global)']],
    ['phones', phonesOf(customer)],
    ['addresses', addressLines(customer, false)],
    [
      'recent messages',
      listAt(card, 'recentMessages').map(
        (message) => `${spoken(message, 'createdAt', now)}  ${messageTypeText(cellAt(message, 'type'))}`,
      ),
    ],
    ['next', listAt(card, 'next').map(cellText)],
  ]
  return sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [title, lines.map(oneLine)] as const)
}

const spoken = (document: unknown, path: string, now: number): string =>
  spokenMoment(valueAt(document, path), now) ?? cellAt(document, path)

const aboutLines = (customer: unknown, units: readonly string[], isBrief: boolean): string[] => {
  const at = (path: string): string => cellAt(customer, path)
  const day = (path: string): string => spokenDay(at(path))
  return [
    ...(nameOf(customer) !== '' && at('companyName') !== '' ? [`company ${at('companyName')}`] : []),
    ...(units.length === 0 ? [] : [`employee of ${units.join(', ')}`]),
    ...(at('dateOfBirth') === '' ? [] : [`born ${day('dateOfBirth')}`]),
    `customer since ${day('createdAt')} · last change ${day('lastModifiedAt')}${isBrief ? '' : ` · version ${at('version')}`}`,
  ]
}

function signInLines(card: unknown, now: number): string[] {
  const quotes = valueAt(card, 'openQuotes')
  const ofQuotes = typeof quotes === 'number' && quotes > 0 ? [counted(quotes, 'open quote')] : []
  const sessions = valueAt(card, 'sessions')
  if (sessions === undefined) return ofQuotes
  const locked = spoken(sessions, 'lockedUntil', now)
  const tokens = listAt(sessions, 'openTokens').map(
    (token) => `open ${linkNames[cellAt(token, 'purpose')] ?? 'link'}, ends ${spoken(token, 'expiresAt', now)}`,
  )
  return [
    locked === ''
      ? 'not locked out'
      : `LOCKED OUT after wrong passwords, ends ${locked}; a new password ends it at once`,
    counted(Number(valueAt(sessions, 'sessions')), 'open session'),
    ...tokens,
    ...ofQuotes,
  ]
}

const linkNames: Readonly<Record<string, string>> = {password: 'reset link', email: 'verification link'}

const phonesOf = (customer: unknown): string[] => [
  ...new Set(
    listAt(customer, 'addresses').flatMap((address) =>
      phoneFields.map((field) => cellAt(address, field)).filter((number) => number !== ''),
    ),
  ),
]

const phoneFields = addressFields.filter(({personal}) => personal === 'phone').map(({name}) => name)

/** What people know a customer by, beside the email on the first line. */
const shownIds = fieldRows.filter(({identifies, name}) => identifies && name !== 'email').map(({name}) => name)

const spokenIds = shownIds.filter((name) => name !== 'externalId')

const pairs = (customer: unknown, members: readonly string[]): string[] =>
  members.flatMap((member) => {
    const text = cellAt(customer, member)
    return text === '' ? [] : [`${member} ${text}`]
  })
