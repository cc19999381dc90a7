import type {Deprecation, Kind, ScopeChange} from './catalogue/entry.js'
import {catalogue, entryOf} from './catalogue/index.js'
import {deprecationDayOf, removalDayOf, type Status, statusOf} from './dates.js'

/** All given conditions must hold. Days are ISO days. */
export interface DeprecationFilter {
  /** An area as the interface names it, or one of several that an entry is in, without regard to case. */
  readonly area?: string
  readonly status?: Status
  readonly kind?: Kind
  /** On or after this day: the removal when `status` is `removed`, else the deprecation. */
  readonly since?: string
  /** Before this day, of the same date that `since` looks at. */
  readonly before?: string
  /** The day on which `status` is asked. Absent: as the interface leaves it. */
  readonly asOf?: string
  /** Words that must all occur in id, area, item, alternative or note, without regard to case. */
  readonly search?: string
}

const plain = (text: string): string => text.toLowerCase().replaceAll('`', '')

const dateInQuestion = (entry: Deprecation, status: Status | undefined): string | undefined =>
  status === 'removed' ? removalDayOf(entry) : (deprecationDayOf(entry) ?? removalDayOf(entry))

const isInWindow = (entry: Deprecation, {since, before, status}: DeprecationFilter): boolean => {
  if (since === undefined && before === undefined) return true
  const day = dateInQuestion(entry, status)
  // What the interface does not date cannot be said to lie on either side of a day.
  if (day === undefined) return false
  return (since === undefined || day >= since) && (before === undefined || day < before)
}

const matchesSearch = (entry: Deprecation, search: string): boolean => {
  const text = plain([entry.id, entry.area, entry.item, entry.alternative, entry.note ?? ''].join('\n'))
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const areasOf = ({area}: Deprecation): readonly string[] => area.split(', ')

/** The catalogue's entries that a filter lets through, in the catalogue's order. */
export const listDeprecations = (filter: DeprecationFilter = {}): readonly Deprecation[] => {
  const {area, status, kind, asOf, search} = filter
  return catalogue.filter(
    (entry) =>
      (area === undefined || areasOf(entry).some((one) => plain(one) === plain(area.trim()))) &&
      (kind === undefined || entry.kind === kind) &&
      (status === undefined || statusOf(entry, asOf) === status) &&
      isInWindow(entry, filter) &&
      (search === undefined || matchesSearch(entry, search)),
  )
}

/** The areas of the catalogue, each once, in its order. */
export const areas = (): readonly string[] => [...new Set(catalogue.flatMap(areasOf))]

/** An entry by its id, in whatever case and with blanks around it. */
export const getDeprecation = (id: string): Deprecation | undefined => entryOf(id.trim().toLowerCase())

/** What once opened an operation, what opens it now, and since when. */
const scopeRow = (
  entry: Deprecation,
  {type, operation, previous, current}: Readonly<Record<keyof ScopeChange, string>>,
) => ({
  ...{id: entry.id, type, operation, previous, current},
  effective: removalDayOf(entry) ?? null,
})

/** Every scope that no longer opens what it did: the GraphQL operations first, then endpoints. */
export const scopeRows = () => [
  ...catalogue.flatMap((entry) => (entry.scope ? [scopeRow(entry, entry.scope)] : [])),
  ...catalogue.flatMap((entry) =>
    (entry.detect ?? []).flatMap((pattern) => {
      if (pattern.in !== 'scope') return []
      const {scope: previous, lacks: current} = pattern
      return [scopeRow(entry, {type: entry.area, operation: 'endpoints', previous, current})]
    }),
  ),
]

/**
 * An entry as `deprecations list --json` shows it. `deprecated` is the day it was made known, `removed` the day the old
 * way ended, under whatever word; null where the interface has none. `status` is that of a day, or as the interface leaves
 * it; what is removed may lack a day.
 */
export const rowOf = (entry: Deprecation, asOf?: string) => ({
  id: entry.id,
  area: entry.area,
  item: entry.item,
  kind: entry.kind,
  alternative: entry.alternative,
  deprecated: deprecationDayOf(entry) ?? null,
  removed: removalDayOf(entry) ?? null,
  source: entry.source,
  status: statusOf(entry, asOf),
})

/** What `deprecations list --json` prints. */
export const listing = (filter: DeprecationFilter = {}) => {
  const results = listDeprecations(filter).map((entry) => rowOf(entry, filter.asOf))
  return {count: results.length, results}
}

/** An entry as `deprecations get` shows it: the row, what the interface says in its own words, and whether a check sees it. */
export const detailsOf = (entry: Deprecation) => ({
  ...rowOf(entry),
  dates: entry.dates,
  ...(entry.scope === undefined ? {} : {scope: entry.scope}),
  ...(entry.note === undefined ? {} : {note: entry.note}),
  isChecked: entry.detect !== undefined || entry.scope !== undefined,
})
