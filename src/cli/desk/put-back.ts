import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows} from '../../domain/customers/fields.js'
import {labelOf} from '../customers/preview.js'
import {spokenMoment} from '../output/times.js'
import {historyOf} from '../records/history.js'
import {type Act, type Option, update, updates} from './act.js'

/** Putting a value of the history back. */

const maxOffered = 9
/** Members of a customer that are one text each. */
const putBackFields: ReadonlySet<string> = new Set(fieldRows.map(({name}) => name))

/** Former values of the customer, the latest first, numbered. */
export async function formerValues(client: Client, customer: Customer, now: number): Promise<readonly Option[]> {
  const {events} = await historyOf({client, customer, id: customer.id, audit: []})
  const offered = new Map<string, string>()
  for (const {time, changes = []} of events) {
    for (const {path, before} of changes) {
      const isNow = customer[path as keyof Customer] === before
      if (!putBackFields.has(path) || typeof before !== 'string' || isNow) continue
      const assignment = `${path}=${before}`
      if (!offered.has(assignment))
        offered.set(assignment, `${labelOf(path)} ${before} (until ${spokenMoment(time, now)})`)
    }
  }
  return [...offered].slice(0, maxOffered).map(([value, label], at) => ({key: String(at + 1), label, value}))
}

export const putBack: Act = {
  key: '1',
  label: 'put back',
  about: 'put a value of the history back by its number',
  command: 'customers update',
  calls: updates,
  writes: true,
  confirms: ({name, customer}, {assignment = ''}) => {
    const [path = '', value = ''] = splitAtEquals(assignment)
    const now = customer[path as keyof Customer]
    return `Put back for ${name}: ${labelOf(path)} ${typeof now === 'string' ? now : '(nothing)'} → ${value}?`
  },
  words: update((_, {assignment = ''}) => ['--set', assignment]),
}

const splitAtEquals = (text: string): readonly string[] => /^([^=]+)=(.*)$/s.exec(text)?.slice(1) ?? []
