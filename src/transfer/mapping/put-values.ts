import type {Issue} from '../input/row.js'
import {eachElement} from './draft-shape.js'
import {withValue} from './paths.js'
import type {ReadRecords} from './record-cells.js'

type Document = Record<string, unknown>

/** Puts a value at a place; a list goes into the elements of a list, one by one. */
export function putValue(document: Document, segments: readonly (string | number)[], value: unknown): void {
  const each = segments.indexOf(eachElement)
  if (value === undefined) return
  if (each < 0) withValue(document, segments, value)
  else for (const [at, one] of [value].flat().entries()) withValue(document, segments.with(each, at), one)
}

/** The addresses of a document, to be added to. */
export function addressesIn(document: Document): unknown[] {
  if (!Array.isArray(document['addresses'])) document['addresses'] = []
  return document['addresses'] as unknown[]
}

/** Adds the addresses of a cell. */
export function putRecords(document: Document, issues: Issue[], column: string, read: ReadRecords): void {
  for (const message of read.problems) issues.push({column, code: 'InvalidField', message})
  if (read.addresses.length > 0) addressesIn(document).push(...read.addresses)
}
