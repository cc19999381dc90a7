import type {Customer} from '../../domain/customers/customer.js'
import {capital, isObject, omit} from '../../domain/equal.js'
import {labelOf} from '../customers/preview.js'
import {cellAt, cellText, listAt, valueAt} from '../output/fields.js'
import {type Html, html, momentText, note, nothing, pageText, section} from '../output/html-page.js'
import {moneyText} from '../output/money.js'
import {nameOf} from '../output/views.js'
import type {AuditLine} from '../safety/audit.js'
import {actEvent, actsOf} from './audit-events.js'
import {whatOf, whoOf} from './history-view.js'
import {type CustomerMessage, messageEvents} from './message-events.js'

/** What `customers dossier` collects; its other members are lists of documents, by their kinds. */
export interface Dossier {
  readonly customer: Customer
  readonly audit: readonly AuditLine[]
  readonly notReadable: readonly string[]
  readonly notServed: readonly string[]
  readonly notAnswered?: readonly string[]
}

interface PageOptions {
  readonly labels: ReadonlyMap<string, string>
  readonly project: string
  readonly madeAt: number
}

/** Says nothing to the person: what the service keeps for itself, or what stands elsewhere on the page. */
const unsaid = new Set(
  (
    'id version versionModifiedAt lastMessageSequenceNumber createdBy lastModifiedBy typeId type addresses addressId ' +
    'custom password customer customerId deleteDaysAfterLastModification'
  ).split(' '),
)

/** A value in words; of a text in several languages the first one. */
function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return momentText(Date.parse(value))
  if (moneyText(value) !== '') return moneyText(value)
  if (Array.isArray(value)) return value.map(words).filter(Boolean).join('; ')
  if (!isObject(value)) return cellText(value)
  const named = value['name'] ?? value['label']
  if (isObject(named) || typeof named === 'string') {
    const [quantity, price] = [cellText(value['quantity']), moneyText(value['totalPrice'])]
    return `${quantity === '' ? '' : `${quantity} × `}${words(named)}${price === '' ? '' : `, ${price}`}`
  }
  const entries = Object.entries(value).filter(([name]) => !unsaid.has(name))
  if (entries.length === 1) return words(entries[0]?.[1])
  if (entries.every(([name, text]) => typeof text === 'string' && /^[a-z]{2}(-[A-Z]{2})?$/.test(name))) {
    return words(entries[0]?.[1] ?? value['id'])
  }
  return facts(value)
    .map(([name, text]) => `${name} ${text}`)
    .join(', ')
}

type Fact = readonly [name: string, value: string]

function facts(document: object, labels: PageOptions['labels'] = new Map()): Fact[] {
  const {custom, ...members} = document as {readonly custom?: unknown}
  const own = Object.entries(members).filter(([name]) => !unsaid.has(name))
  const fields = Object.entries({...(valueAt(custom, 'fields') as object | undefined)})
  return [
    ...own.map(([name, value]): Fact => [labelOf(name), words(value)]),
    ...fields.map(([name, value]): Fact => [labels.get(name) ?? name, words(value)]),
  ].filter(([, text]) => text !== '')
}

const listed = (all: readonly Fact[]): Html =>
  html`<dl>${all.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

const several = (parts: readonly Html[]): Html => html`<ol>${parts.map((part) => html`<li>${part}</li>`)}</ol>`

/** What happened, the latest first: messages of the API, and what was done with this tool at this place. */
function happened({customer, audit, ...parts}: Dossier, now: number): Html {
  const messages = listAt(parts, 'messages') as readonly CustomerMessage[]
  const unique = [...new Map(messages.map((message) => [message.id, message])).values()]
  const acts = actsOf(audit, () => true).map(actEvent)
  const events = [...messageEvents(unique, customer.id, {now}), ...acts].sort((a, b) => (a.time < b.time ? 1 : -1))
  if (events.length === 0) return nothing
  const rows = events.map(
    (event) =>
      html`<tr><td>${momentText(Date.parse(event.time))}</td><td>${whatOf(event)}</td><td>${whoOf(event)}</td></tr>`,
  )
  return section(
    'What happened',
    html`<table><thead><tr><th>When</th><th>What</th><th>Who</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

const addressRoles = [
  ...(['defaultShippingAddressId', 'shippingAddressIds'] as const),
  ...(['defaultBillingAddressId', 'billingAddressIds'] as const),
]

/** What an address is for: `default shipping`. */
function usesOf(customer: Customer, address: object): Fact[] {
  const uses = addressRoles.filter((role) => [customer[role] ?? []].flat().includes(cellAt(address, 'id')))
  return uses.length === 0
    ? []
    : [['used for', uses.map((role) => labelOf(role).replace(/ address ids?$/, '')).join(', ')]]
}

const isAbout = new Set(['customer', 'messages', 'sessions', 'audit', 'notReadable', 'notServed', 'notAnswered'])

/** A dossier for the person whom it is about, as a page (decision 73). */
export function dossierPage(dossier: Dossier, {labels, project, madeAt}: PageOptions): string {
  const {customer, notReadable, notServed, notAnswered = []} = dossier
  const lists = Object.entries(dossier).flatMap(([name, list]) =>
    !isAbout.has(name) && Array.isArray(list) && list.length > 0
      ? [[labelOf(name), list as readonly object[]] as const]
      : [],
  )
  const addresses = listAt(customer, 'addresses') as readonly object[]
  const fields = facts({custom: customer.custom}, labels)
  const sessions = valueAt(dossier, 'sessions')
  const missing = [...notReadable, ...notAnswered]
  return pageText({
    title: nameOf(customer) || customer.email,
    state: missing.length > 0 ? {text: 'incomplete', tone: 'warn'} : {text: 'complete', tone: 'good'},
    lead: `What is stored about ${customer.email} in ${project}`,
    counts: [
      {name: 'addresses', count: addresses.length, tone: 'mute'},
      ...lists.map(([name, list]) => ({name, count: list.length, tone: 'mute' as const})),
    ],
    steps: [],
    sections: [
      section('Account', listed(facts(omit(customer, ['custom', ...addressRoles])))),
      addresses.length === 0
        ? nothing
        : section(
            'Addresses',
            several(addresses.map((one) => listed([...facts(one, labels), ...usesOf(customer, one)]))),
          ),
      fields.length === 0 ? nothing : section('Consents and further details', listed(fields)),
      ...lists.map(([name, list]) => section(capital(name), several(list.map((one) => listed(facts(one, labels)))))),
      isObject(sessions) ? section('Sign-in', listed(facts(sessions))) : nothing,
      happened(dossier, madeAt),
      missing.length + notServed.length === 0
        ? nothing
        : section(
            'Not looked at',
            note(notReadable.length > 0, `This access may not read: ${notReadable.map(labelOf).join(', ')}.`),
            note(notAnswered.length > 0, `The service did not answer for: ${notAnswered.map(labelOf).join(', ')}.`),
            note(notServed.length > 0, `The service has none of these: ${notServed.map(labelOf).join(', ')}.`),
          ),
    ],
    madeAt,
  })
}
