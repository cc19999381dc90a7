import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {relatedPage, resultsOf} from '../customers/related.js'
import {cellAt, valueAt} from '../output/fields.js'
import {moneyText} from '../output/money.js'
import {offerLines, validity} from '../quotes/view.js'
import type {Act, Option} from './act.js'

const maxOffered = 9
const latestFirst = 'createdAt desc'
const verbs = [
  {key: 'a', label: 'accept', command: 'accept'},
  {key: 'd', label: 'decline', command: 'decline'},
  {key: 'n', label: 'ask for another offer', command: 'renegotiate'},
] as const

/** Quotes that wait for an answer, numbered; nothing where the client may not read them. */
async function pendingQuotes(client: Client, {id}: Customer, now: number): Promise<readonly Option[]> {
  const where = ['customer(id = :id)', 'quoteState = "Pending"']
  const query = {where, 'var.id': id, sort: [latestFirst], limit: maxOffered}
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
  calls: [
    {operations: ['getMyQuoteById', 'getMyQuoteByKey', 'updateMyQuoteById']},
    {operations: [], scopes: ['manage_quotes'], when: 'answers to quotes'},
  ],
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
  // On a local target with a token of the customer, which needs no scope of the client.
  calls: [{operations: ['queryMyQuotes']}, {operations: [], scopes: ['view_quotes'], when: 'quotes'}],
  reads: true,
  none: 'This customer has no quotes.',
  words: (ref, customer) => ['quotes', 'query', ...asCustomer(ref, customer), '--sort', latestFirst],
  next: {act: answerQuote, offers: pendingQuotes, title: 'Answer a quote by its number:'},
  actsAsCustomer: true,
}
