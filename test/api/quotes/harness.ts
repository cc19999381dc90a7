import {pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, openDesk} from '../harness.js'

/** The demo with a token for each of its customers, by key. */

export const idOf = (customerKey: string): string => {
  const customer = pack.customers.find(({key}) => key === customerKey)
  if (!customer) throw new Error(`no customer ${customerKey}`)
  return customer.id
}

export const quoteOf = (quoteKey: string): Body => {
  const quote = pack.quotes.find(({key}) => key === quoteKey)
  if (!quote) throw new Error(`no quote ${quoteKey}`)
  return quote
}

export interface QuoteDesk extends Desk {
  /** Asks below `/me/quotes` as a customer with `manage_my_quotes`. */
  as(customerKey: string, method: string, path: string, body?: object): Promise<Answer>
  /** Applies actions to a quote at the version that it was seeded with. */
  act(customerKey: string, quoteKey: string, ...actions: object[]): Promise<Answer>
  stored(quoteKey: string): Promise<Body>
}

export async function openQuoteDesk(): Promise<QuoteDesk> {
  const desk = await openDesk({seed: true})
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (key: string): Promise<string> => {
    const token = tokens.get(key) ?? desk.token('manage_my_quotes', {customerId: idOf(key)})
    tokens.set(key, token)
    return token
  }
  const as = async (key: string, method: string, path: string, body?: object): Promise<Answer> =>
    desk.ask(method, `/me/quotes${path}`, {token: await tokenOf(key), ...(body ? {body} : {})})
  return {
    ...desk,
    as,
    act: (key, quoteKey, ...actions) => {
      const {id, version} = quoteOf(quoteKey)
      return as(key, 'POST', `/${id}`, {version, actions})
    },
    stored: async (key) => (await desk.ask('GET', `/quotes/key=${key}`)).body,
  }
}

export const accept = {action: 'changeMyQuoteState', quoteState: 'Accepted'}
export const decline = {action: 'changeMyQuoteState', quoteState: 'Declined'}
