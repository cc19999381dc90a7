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
 * What a member says about a person: redaction and anonymising read the same answer. Every kind of pseudonym is
 * personal: masked by the one, replaced by the other. So is `telling`, which nothing can stand in for: anonymising drops
 * it. `nothing` says nothing about anybody. What the service made up says nothing by itself either, and is shown; but
 * it would lead from an anonymised copy back to the person: an `id` is replaced there, a `trace` (times, versions,
 * authors) dropped.
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
