import {queryCustomers} from '../../api/customers/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'

/** Who was found, and how many there are in all. */
export interface Found {
  readonly limit: number
  readonly count: number
  readonly total?: number
  readonly results: readonly Customer[]
}

/** Search over names, email and identifiers. The text is always a variable, never part of a predicate. */

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

export async function findCustomers(client: Client, text: string, limit: number): Promise<Found> {
  const words = text.trim().split(/\s+/)
  const exact = {
    where: [
      'lowercaseEmail = :lower or key = :text or customerNumber = :text or externalId = :text or id = :text' +
        ' or firstName in (:text, :capital) or lastName in (:text, :capital) or companyName in (:text, :capital)',
    ],
    'var.lower': text.trim().toLowerCase(),
    'var.text': text.trim(),
    'var.capital': words.map(capital).join(' '),
  }
  const ask = async (query: Readonly<Record<string, QueryValue>>): Promise<Found> => {
    const {count, total, results} = await client.call(queryCustomers, {}, {query: {...query, limit}})
    return {limit, count, ...defined({total}), results}
  }
  const found = await ask(exact)
  if (found.count > 0 || words.length < 2) return found
  const names = {
    where: ['firstName in (:first, :firstCapital) and lastName in (:last, :lastCapital)'],
    'var.first': words[0] ?? '',
    'var.firstCapital': capital(words[0] ?? ''),
    'var.last': words.slice(1).join(' '),
    'var.lastCapital': words.slice(1).map(capital).join(' '),
  }
  return ask(names)
}
