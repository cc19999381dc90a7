import type {Place, Source, SourceRow} from '../input/row.js'
import type {RowDraft} from '../input/row-draft.js'

/** What names a row for people where its line does not. */

/** Rows of a copy are named by their customers: they are lines of no file that anybody has. */
export function placeOf(row: SourceRow, {copied}: Source): Place {
  if (!copied || row.kind !== 'document') return row.place
  return {...row.place, customer: rowNameOf(row.document)}
}

/** A customer of a project, for people. */
export function rowNameOf({id, key, email}: {readonly id?: unknown; readonly key?: unknown; readonly email?: unknown}) {
  const names = Object.entries({key, email}).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  )
  return `customer ${id}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

/** A row of a document that is one line, with what it calls its customer. */
export function named(place: Place, {key, email}: RowDraft): Place {
  if (place.by !== 'row') return place
  const name = key ? ` (key ${key})` : email ? ` (email ${email})` : ''
  return {...place, customer: `row ${place.line}${name}`}
}
