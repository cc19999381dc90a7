import {setTimeout as pause} from 'node:timers/promises'
import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {queryWords} from '../../domain/folded-text.js'
import {type FindOptions, type FindResult, findCustomers, neighboursIn} from '../customers/find.js'
import {foundView} from '../customers/found-view.js'
import {valueAt} from '../output/fields.js'
import {tableText} from '../output/table.js'
import {type Column, kept, type View, whole} from '../output/view.js'
import {nameOf} from '../output/views.js'
import {type Choice, type Choices, newCustomer, type Search} from './prompter.js'

const maxFound = 18
/** How long nothing is typed before a project without a search is asked, with a dozen requests. */
const restMs = 250

/** The name first, since that is what a caller says. The choice knows the id, so that every column may give way. */
const choicesWith = (email: Column): View => ({
  columns: [
    kept('name', (customer) => nameOf(customer) || valueAt(customer, 'companyName') || '(no name)'),
    email,
    ...['place', 'stores', 'number', 'company', 'born'].flatMap((header) =>
      foundView.columns.filter((column) => column.header === header),
    ),
  ],
})

/** The email whole; where even that has no room, cut. */
const views = [choicesWith(whole('email')), choicesWith(kept('email'))]

export interface ListStyle {
  readonly columns: number
  readonly now: number
  readonly masked: (document: unknown) => unknown
}

/** One line for each customer, with what tells namesakes apart. */
async function labelsOf(customers: readonly Customer[], {columns, now, masked}: ListStyle): Promise<string[]> {
  if (customers.length === 0) return []
  const style = {terminal: true, plain: true, columns, now, colour: false, header: false}
  for (const view of views) {
    const lines = (await tableText(customers.map(masked), view, style)).trimEnd().split('\n')
    if (lines.length === customers.length) return lines
  }
  return customers.map(({id}) => id)
}

/** How long a refused search is not asked again: longer than between two keys, since an index may be built meanwhile. */
const refusedMs = 10_000

export class Finder {
  /** Known from an earlier answer: the project has no search. */
  #withoutSearch: FindOptions['withoutSearch']
  #refusedAt = 0

  beginCall(): void {
    this.#withoutSearch = undefined
  }

  async find(client: Client, text: string, signal: AbortSignal, style: ListStyle): Promise<Choices> {
    if (queryWords(text).length === 0) return {found: [], note: 'type a part of a name, email, number, phone or city'}
    if (this.#withoutSearch && !(await rested(restMs, signal))) return {found: []}
    if (style.now - this.#refusedAt >= refusedMs) this.beginCall()
    const found = await findCustomers(client, text, {limit: maxFound, withoutSearch: this.#withoutSearch})
    if (found.withoutSearch && !this.#withoutSearch) this.#refusedAt = style.now
    this.#withoutSearch = found.withoutSearch
    const labels = await labelsOf(found.results, style)
    const first = found.results.length - neighboursIn(found, text)
    const above = `close to "${text.trim()}"`
    const choices = found.results.map(({id}, at) => ({id, label: labels[at] ?? '', ...(at === first ? {above} : {})}))
    return {found: choices, note: `${noteOn(found)} · ${newCustomer} for a new customer`}
  }
}

const rested = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  pause(milliseconds, true, {signal}).catch(() => false)

function noteOn({count, total, by, withoutSearch}: FindResult): string {
  if (count === 0 && !withoutSearch) return 'nobody matches this: type another name'
  const why = withoutSearch?.isOff ? 'the project has no search' : 'the API client may not use the search'
  if (count === 0) return `nobody has exactly this: ${why}`
  if (by === 'former email') return 'nobody has this email now; these had it before'
  if (total === undefined) return `${count} found, and there may be more: type more to narrow`
  return total > count ? `${count} of ${total}: type more to narrow` : `${count} found`
}

export async function onlyHolder({find}: {readonly find: Search['find']}, email: string): Promise<Choice | undefined> {
  const choices = await find(email, new AbortController().signal).catch((): Choices => ({found: []}))
  const [only, another] = choices.found
  return another === undefined ? only : undefined
}
