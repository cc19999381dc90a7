import {canonicalEmail} from '../../domain/customers/identity.js'
import type {Issue, Place} from '../input/row.js'
import {type Match, type MatchMember, matchValueOf, type RowDraft} from '../input/row-draft.js'
import {type Seen, SeenValues} from './seen-values.js'

const tags = {key: 1, customerNumber: 2, externalId: 3, email: 4, emailInStore: 5} as const

export type Repeats = ReturnType<typeof repeatsIn>

/** Finds rows that cannot exist beside an earlier row of the same run (decisions 10 and 11). */
export function repeatsIn(files: readonly string[], match: Match, seed: number) {
  const values = new SeenValues(seed)
  const byRow = new Set<string>()
  /** The external id need not be unique, but two rows that are matched by it would meet one customer. */
  const members = ['key', 'customerNumber', ...(match === 'externalId' ? [match] : [])] as const
  const issue = (member: string, value: unknown, earlier: Seen, columnOf: (path: string) => string): Issue => {
    const name = files[earlier.source] ?? ''
    const where = `${byRow.has(name) ? 'by row' : 'on line'} ${earlier.line}${files.length > 1 ? ` of ${name}` : ''}`
    const message = `The ${member} '${value}' is already used ${where}.`
    return {column: columnOf(member), code: 'DuplicateField', message, fix: '--on-duplicate says which row counts.'}
  }
  /** A global customer clashes with any other of its email, store-specific ones where their stores meet. */
  const emailClash = (email: string, {stores}: RowDraft, seen: Seen): Seen | undefined => {
    const canonical = canonicalEmail(email)
    if (!stores || stores.length === 0) return values.add(canonical, {...seen, marked: true}, tags.email)
    const inStores = stores.map(({id, key}) => `${key ?? `id ${id}`}:${canonical}`)
    const anywhere = values.find(canonical, tags.email)
    if (anywhere?.marked) return anywhere
    const met = inStores.map((inStore) => values.find(inStore, tags.emailInStore)).find((one) => one !== undefined)
    if (met) return met
    values.add(canonical, {...seen, marked: false}, tags.email)
    for (const inStore of inStores) values.add(inStore, seen, tags.emailInStore)
    return undefined
  }
  return {
    issuesOf(draft: RowDraft, place: Place, columnOf: (path: string) => string): Issue[] {
      if (place.by) byRow.add(place.file)
      const seen: Seen = {line: place.line, source: files.indexOf(place.file)}
      const issues: Issue[] = []
      for (const member of members) {
        const value = draft[member]
        const earlier = typeof value === 'string' ? values.add(value, seen, tags[member]) : undefined
        if (earlier) issues.push(issue(member, value, earlier, columnOf))
      }
      const {email} = draft
      const clash = typeof email === 'string' ? emailClash(email, draft, seen) : undefined
      if (clash) issues.push(issue('email', email, clash, columnOf))
      return issues
    },
    /** Whether a row had a value by which it finds its customer. */
    has: (member: MatchMember, value: string): boolean =>
      values.find(matchValueOf(member, value), tags[member]) !== undefined,
  }
}
