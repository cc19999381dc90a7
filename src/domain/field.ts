import type * as v from 'valibot'

/**
 * The field unit: one plain text member of a customer or of an address. Setters, schemas, query shapes, drafts,
 * differences, flags, imports, views, redaction and pseudonyms are loops over tables of these.
 */

/** Kinds of personal values, by what can stand in for one. */
export const pseudonymKinds = [
  'name',
  'email',
  'phone',
  'company',
  'street',
  'city',
  'postalCode',
  'date',
  /** A code whose form is kept. */
  'shape',
  'key',
] as const

export type PseudonymKind = (typeof pseudonymKinds)[number]

/**
 * What a member says about a person. Redaction masks every kind, and anonymising replaces it. `unique` values are
 * personal and too telling for a pseudonym: they are dropped. Two answers are not personal: `nothing` says nothing
 * about anybody, and a `link` is made up by the service (ids, times, versions): it is shown, but an anonymised copy must
 * not lead back to the person, so there it is dropped or replaced.
 */
export type Personal = PseudonymKind | 'unique' | 'link' | 'nothing'

export const isPersonal = (personal: Personal): boolean => personal !== 'link' && personal !== 'nothing'

type TextSchema = v.GenericSchema<string, string>

export interface Field {
  readonly name: string
  /** In summaries: `set or remove the first name`. */
  readonly label: string
  readonly schema: TextSchema
  readonly personal: Personal
  /** How predicates compare it; as text if absent. */
  readonly leaf?: 'date'
  /** Every resource has it. */
  readonly required?: true
  /** Names of columns in foreign tables, folded: lower case, letters and digits only. */
  readonly aliases?: readonly string[]
  /** Most tables have it: part of the plain import template. */
  readonly common?: true
}

/** An object with a member for each field. The type repeats the names, since `Object.fromEntries` forgets them. */
export function byField<N extends string, T>(
  fields: readonly (Field & {readonly name: N})[],
  make: (field: Field & {readonly name: N}) => T,
): Record<N, T> {
  return Object.fromEntries(fields.map((field) => [field.name, make(field)])) as Record<N, T>
}
