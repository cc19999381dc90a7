import type * as v from 'valibot'
import {spelt} from './equal.js'

/** The field unit: one plain text member of a customer or of an address. What handles such members loops over tables of these. */

/** Kinds of personal values, by the pseudonym that replaces them. */
export type PseudonymKind =
  | 'name'
  | 'email'
  | 'phone'
  | 'company'
  | 'street'
  | 'city'
  | 'postalCode'
  | 'date'
  /** Other letters and digits in the same positions. */
  | 'shape'
  | 'key'

/**
 * The privacy of a member, for both `--redact` and `--anonymize`. A kind of pseudonym is personal: redaction masks it,
 * anonymising replaces it. `telling` is personal without a pseudonym: anonymising drops it. `nothing` is impersonal.
 * What the service assigned is shown by redaction, but would link an anonymised copy to the person: there an `id` is
 * replaced and a `trace` (times, versions, authors) dropped.
 */
export type Personal = PseudonymKind | 'telling' | 'id' | 'trace' | 'nothing'

const impersonal: ReadonlySet<Personal> = new Set<Personal>(['id', 'trace', 'nothing'])

export const isPersonal = (personal: Personal): boolean => !impersonal.has(personal)

type TextSchema = v.GenericSchema<string, string>

export interface Field {
  readonly name: string
  /** In summaries: `set or remove the first name`. */
  readonly label: string
  readonly schema: TextSchema
  readonly personal: Personal
  /** Its type in predicates; text if absent. */
  readonly leaf?: 'date'
  readonly required?: true
  /** A search finds the customer by any part of it; by its digits, if it is a phone number; `alone` if it names the field. */
  readonly searched?: boolean | 'alone'
  /** Column names of other systems, normalised to lower-case letters and digits. */
  readonly aliases?: readonly string[]
}

/** A table of fields, whose rows leave out what is usual. A label that they leave out is the name in words. */
export const fieldsFrom =
  <F extends Field>(usual: Pick<F, 'schema'> & Partial<F>) =>
  <const N extends string>(rows: readonly (Partial<F> & Pick<F, 'personal'> & {readonly name: N})[]) =>
    rows.map((row) => ({...usual, label: spelt(row.name, ' '), ...row})) as readonly (F & {readonly name: N})[]

export function byField<N extends string, T>(
  fields: readonly (Field & {readonly name: N})[],
  make: (field: Field & {readonly name: N}) => T,
): Record<N, T> {
  const members = {} as Record<N, T>
  for (const field of fields) members[field.name] = make(field)
  return members
}
