import {canonicalEmail} from '../../domain/customers/identity.js'
import type {Issue, Place} from '../input/row.js'
import {type MatchMember, matchValueOf, type RowDraft} from '../input/row-draft.js'
import {type Seen, SeenValues} from './seen-values.js'

const tags = {key: 1, customerNumber: 2, externalId: 3, email: 4, emailInStore: 5} as const

/** Finds rows that cannot exist beside an earlier row of the same run (decisions 10 and 11). */
export class Repeats {
  readonly #values: SeenValues
  readonly #files: readonly string[]
  readonly #byRow = new Set<string>()
  /** The external id need not be unique, but two rows that are matched by it would meet one customer. */
  readonly #members: readonly ('key' | 'customerNumber' | 'externalId')[]

  constructor(files: readonly string[], match: string | undefined, seed: number) {
    this.#files = files
    this.#members = match === 'externalId' ? ['key', 'customerNumber', match] : ['key', 'customerNumber']
    this.#values = new SeenValues(seed)
  }

  issuesOf(draft: RowDraft, place: Place, columnOf: (path: string) => string): Issue[] {
    if (place.by) this.#byRow.add(place.file)
    const seen: Seen = {line: place.line, source: this.#files.indexOf(place.file)}
    const issues: Issue[] = []
    for (const member of this.#members) {
      const value = draft[member]
      if (typeof value !== 'string') continue
      const earlier = this.#values.add(value, seen, tags[member])
      if (earlier) issues.push(this.#issue(member, value, earlier, columnOf))
    }
    const {email} = draft
    const clash = typeof email === 'string' ? this.#emailClash(email, draft, seen) : undefined
    if (typeof email === 'string' && clash) issues.push(this.#issue('email', email, clash, columnOf))
    return issues
  }

  /** Whether a row had a value by which it finds its customer. */
  has(member: MatchMember, value: string): boolean {
    return this.#values.find(matchValueOf(member, value), tags[member]) !== undefined
  }

  /** A global customer clashes with any other of its email, store-specific ones where their stores meet. */
  #emailClash(email: string, {stores}: RowDraft, seen: Seen): Seen | undefined {
    const canonical = canonicalEmail(email)
    if (!stores || stores.length === 0) {
      const {line, source} = seen
      return this.#values.add(canonical, {line, source, marked: true}, tags.email)
    }
    const inStores = stores.map(({id, key}) => `${key ?? `id ${id}`}:${canonical}`)
    const anywhere = this.#values.find(canonical, tags.email)
    if (anywhere?.marked) return anywhere
    const met = inStores
      .map((inStore) => this.#values.find(inStore, tags.emailInStore))
      .find((one) => one !== undefined)
    if (met) return met
    this.#values.add(canonical, {...seen, marked: false}, tags.email)
    for (const inStore of inStores) this.#values.add(inStore, seen, tags.emailInStore)
    return undefined
  }

  #issue(member: string, value: string, earlier: Seen, columnOf: (path: string) => string): Issue {
    const file = this.#files.length > 1 ? ` of ${this.#files[earlier.source]}` : ''
    const message = `The ${member} '${value}' is already used ${this.#byRow.has(this.#files[earlier.source] ?? '') ? 'by row' : 'on line'} ${earlier.line}${file}.`
    return {column: columnOf(member), code: 'DuplicateField', message, fix: '--on-duplicate says which row counts.'}
  }
}
