import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {relatedPage, resultsOf} from '../customers/related.js'
import {cellAt, valueAt} from '../output/fields.js'
import {moneyText} from '../output/money.js'
import {offerLines, validity} from '../quotes/view.js'
import {type Act, listKeys, type Option, text, typed, updateAct} from './act.js'

/** Groups and stores: chosen from a list of what the project has, or by key where it may not be read. */

const kinds = {
  group: {key: 'g', label: 'groups', path: 'customer-groups'},
  store: {key: 's', label: 'stores', path: 'stores'},
} as const

type Kind = keyof typeof kinds

const groupIdsOf = ({customerGroup, customerGroupAssignments}: Customer): readonly (string | undefined)[] => [
  customerGroup?.id,
  ...customerGroupAssignments.map((assignment) => assignment.customerGroup.id),
]

const isIn = (kind: Kind, customer: Customer, document: unknown): boolean =>
  kind === 'group'
    ? groupIdsOf(customer).includes(cellAt(document, 'id'))
    : customer.stores.some(({key}) => key === valueAt(document, 'key'))

/** What the project has, each with whether the customer is in it; nothing where the client may not read it. */
async function offersOf(kind: Kind, client: Client, customer: Customer): Promise<readonly Option[]> {
  const query = {sort: ['key asc'], limit: listKeys.length, where: ['key is defined']}
  return resultsOf(await relatedPage(client, kinds[kind].path, query)).map((document, at) => {
    const [key, name] = [cellAt(document, 'key'), valueAt(document, 'name')]
    const called = typeof name === 'string' && name !== key ? `${name} (${key})` : key
    const isMember = isIn(kind, customer, document)
    return {
      key: listKeys.charAt(at),
      label: isMember ? `take out of ${called}` : called,
      value: isMember ? `-${key}` : key,
    }
  })
}

export const membership = (kind: Kind): Act =>
  updateAct({
    key: kinds[kind].key,
    label: kinds[kind].label,
    about: `add the customer to a ${kind}, or take it out`,
    offers: (client, customer) => offersOf(kind, client, customer),
    asks: [
      text(kind, `Which ${kind}?`, {
        options: (_, offered) => offered,
        refuse: (answer) =>
          /^-?\s*[\w-]{2,}$/.test(answer.trim())
            ? undefined
            : `Type its key, as vip, or -vip to take the customer out of it.`,
      }),
    ],
    changes: (_, answers) => {
      const key = typed(answers, kind)
      return key.startsWith('-') ? [`--remove-${kind}`, key.slice(1).trim()] : [`--add-${kind}`, key]
    },
  })

/** Quotes, which are answered as the customer. */

const latestFirst = 'createdAt desc'
const verbs = [
  {key: 'a', label: 'accept', command: 'accept'},
  {key: 'd', label: 'decline', command: 'decline'},
  {key: 'n', label: 'ask for another offer', command: 'renegotiate'},
] as const

/** Quotes that wait for an answer, numbered; nothing where the client may not read them. */
async function pendingQuotes(client: Client, {id}: Customer, now: number): Promise<readonly Option[]> {
  const where = ['customer(id = :id)', 'quoteState = "Pending"']
  const query = {where, 'var.id': id, sort: [latestFirst], limit: 9}
  return resultsOf(await relatedPage(client, 'quotes', query)).map((quote, at) => {
    const name = cellAt(quote, 'key') || cellAt(quote, 'id')
    const label = [`${name}  ${moneyText(valueAt(quote, 'totalPrice'))}`, validity(quote, now)]
      .filter(Boolean)
      .join(', ')
    const id = cellAt(quote, 'id')
    return {key: String(at + 1), label, value: `${id} ${label}`, above: offerLines(quote, now)}
  })
}

const idOf = (assignment = ''): string => assignment.split(' ')[0] ?? ''
const commandOf = (key = ''): string => verbs.find((verb) => verb.key === key)?.command ?? 'accept'

/** A customer of a store has its quotes there. */
const asCustomer = (ref: string, {stores: [store]}: Customer): readonly string[] =>
  store === undefined ? ['--as', ref] : ['--as', ref, '--store', store.key]

const answerQuote: Act = {
  key: '1',
  label: 'answer a quote',
  about: 'accept or decline a quote, or ask for another offer',
  command: 'quotes accept',
  asks: [
    {name: 'verb', text: 'What about it?', options: () => verbs},
    {
      name: 'comment',
      text: 'What should the seller know? (Enter for nothing)',
      when: ({verb}) => commandOf(verb) === 'renegotiate',
    },
  ],
  confirms: ({name}, {verb, assignment = ''}) =>
    `For ${name}: ${commandOf(verb)} the quote ${assignment.slice(idOf(assignment).length + 1)}? It cannot be undone.`,
  words: (ref, customer, {verb, assignment, comment = ''}) => [
    ...['quotes', commandOf(verb), idOf(assignment), ...asCustomer(ref, customer)],
    ...(comment.trim() === '' ? [] : ['--comment', comment.trim()]),
    '--yes',
  ],
  actsAsCustomer: true,
}

export const quotes: Act = {
  key: 'q',
  label: 'quotes',
  about: 'show the quotes of this customer, and answer one',
  command: 'quotes query',
  reads: true,
  none: 'This customer has no quotes.',
  words: (ref, customer) => ['quotes', 'query', ...asCustomer(ref, customer), '--sort', latestFirst],
  next: {act: answerQuote, offers: pendingQuotes, title: 'Answer a quote by its number:'},
  actsAsCustomer: true,
}
