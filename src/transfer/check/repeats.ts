import {canonicalEmail} from '../../domain/customers/identity.js'
import type {Issue, Place} from '../input/row.js'
import type {Source} from '../input/source.js'
import type {RowDraft} from './row-draft.js'
import {type Seen, SeenValues} from './seen-values.js'

/** Finds rows that cannot exist beside an earlier row of the same run (decisions 10 and 11). */
export class Repeats {
  readonly #values: SeenValues
  readonly #sources: readonly Source[]
  /** A member that need not be unique, but by which rows are matched, so that two rows would meet one customer. */
  readonly #match: string | undefined

  constructor(sources: readonly Source[], match: string | undefined, seed: number) {
    this.#sources = sources
    this.#match = match
    this.#values = new SeenValues(seed)
  }

  /** Remembers a row and tells what it repeats. */
  issuesOf(draft: RowDraft, place: Place, columnOf: (path: string) => string): Issue[] {
    const seen: Seen = {line: place.line, source: this.#sources.indexOf(place.source)}
    const issues: Issue[] = []
    const members = new Set(['key', 'customerNumber', ...(this.#match === 'externalId' ? ['externalId'] : [])])
    for (const member of members) {
      const value = draft[member as 'key']
      if (typeof value !== 'string') continue
      const earlier = this.#values.find(`${member}:${value}`)
      if (earlier) issues.push(this.#issue(member, value, earlier, columnOf))
      else this.#values.add(`${member}:${value}`, seen)
    }
    if (typeof draft.email === 'string') issues.push(...this.#emailIssues(draft.email, draft, seen, columnOf))
    return issues
  }

  /** A global customer clashes with any other of its email, store-specific ones where their stores meet. */
  #emailIssues(email: string, draft: RowDraft, seen: Seen, columnOf: (path: string) => string): Issue[] {
    const canonical = canonicalEmail(email)
    const isGlobal = (draft.stores ?? []).length === 0
    const anywhere = this.#values.find(`email:${canonical}`)
    const inStores = (draft.stores ?? []).map(({id, key}) => `email in ${key ?? `id ${id}`}:${canonical}`)
    const clash =
      isGlobal || anywhere?.marked ? anywhere : inStores.map((uniqueKey) => this.#values.find(uniqueKey)).find(Boolean)
    if (clash) return [this.#issue('email', email, clash, columnOf)]
    this.#values.add(`email:${canonical}`, {...seen, marked: isGlobal})
    for (const uniqueKey of inStores) this.#values.add(uniqueKey, seen)
    return []
  }

  #issue(member: string, value: string, earlier: Seen, columnOf: (path: string) => string): Issue {
    const file = this.#sources.length > 1 ? ` of ${this.#sources[earlier.source]?.name}` : ''
    const message = `The ${member} '${value}' is already used on line ${earlier.line}${file}.`
    return {column: columnOf(member), code: 'DuplicateField', message}
  }
}
