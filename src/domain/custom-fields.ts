import * as v from 'valibot'
import type {Facts, ReferencedResource} from './action.js'
import type {FieldDefinition} from './collections/type.js'
import {isObject} from './equal.js'
import {ApiError, invalidOperation} from './errors.js'
import {fieldValueOf} from './field-value.js'
import {identifierOf, type Reference, type ResourceIdentifier, type WantedReference} from './references.js'
import {optional} from './rules.js'

/** The custom fields of a resource: a reference to their Type, and values by field name. */
export interface CustomFields {
  readonly type: Reference & {readonly typeId: 'type'}
  readonly fields: Readonly<Record<string, unknown>>
}

/** Values by field name. Not `v.record`, which accepts arrays; the metadata describes it to OpenAPI. */
export const FieldValues = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object of values by field name'),
  v.metadata({type: 'object', additionalProperties: true}),
)

export const customFieldErrors = [
  'RequiredField',
  'InvalidField',
  'InvalidOperation',
  'ReferencedResourceNotFound',
] as const

interface OldForm {
  readonly type?: unknown
  readonly typeId?: unknown
  readonly typeKey?: unknown
}

/** The draft with `type` made from the deprecated `typeId` and `typeKey` (decision 36). */
export function withTypeOf(draft: OldForm): unknown {
  if (draft.type !== undefined || (draft.typeId === undefined && draft.typeKey === undefined)) return draft
  return {...draft, type: draft.typeId === undefined ? {key: draft.typeKey} : {id: draft.typeId}}
}

const draftMembers = {type: identifierOf('type'), fields: optional(FieldValues)}

export const CustomFieldsDraft = v.pipe(
  v.looseObject({...draftMembers, type: v.optional(draftMembers.type)}),
  v.transform((draft): unknown => withTypeOf(draft)),
  v.object(draftMembers),
)

export type CustomFieldsDraft = v.InferOutput<typeof CustomFieldsDraft>

const isTypeFor = (type: ReferencedResource, resourceTypeId: string): boolean =>
  Array.isArray(type['resourceTypeIds']) && type['resourceTypeIds'].includes(resourceTypeId)

const definitionsOf = (type: ReferencedResource): readonly FieldDefinition[] =>
  Array.isArray(type['fieldDefinitions']) ? (type['fieldDefinitions'] as FieldDefinition[]) : []

const definitionOf = (type: ReferencedResource, name: string): FieldDefinition | undefined =>
  definitionsOf(type).find((definition) => definition.name === name)

const unknownField = (type: ReferencedResource, name: string): ApiError =>
  ApiError.of('InvalidField', {
    field: name,
    invalidValue: name,
    allowedValues: definitionsOf(type).map((definition) => definition.name),
    rule: `The type '${type.key ?? type.id}' has no such field.`,
  })

/** The fields of a draft. Throws InvalidOperation for a Type of others, and errors that name the bare field (decision 66). */
export function customFieldsOf(
  draft: {readonly type: ResourceIdentifier; readonly fields?: Readonly<Record<string, unknown>> | undefined},
  resourceTypeId: string,
  facts: Facts,
): CustomFields {
  const type = facts.resolve({...draft.type, typeId: 'type'})
  if (!isTypeFor(type, resourceTypeId)) {
    throw invalidOperation(`The type '${type.key ?? type.id}' is not made for resources of type '${resourceTypeId}'.`)
  }
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(draft.fields ?? {})) {
    if (value === null) continue
    const definition = definitionOf(type, name)
    if (!definition) throw unknownField(type, name)
    fields[name] = fieldValueOf(value, definition.type, name, facts)
  }
  for (const {name, required} of definitionsOf(type)) {
    if (required && !(name in fields)) throw ApiError.of('RequiredField', {field: name})
  }
  return {type: {typeId: 'type', id: type.id}, fields: {...fields}}
}

export interface FieldChange {
  readonly next: CustomFields
  readonly kind: 'Added' | 'Changed' | 'Removed'
  readonly value?: unknown
  readonly previousValue?: unknown
}

/** Sets one field, or removes it for null and undefined. Throws InvalidOperation, InvalidField and RequiredField. */
export function withCustomField(
  custom: CustomFields | undefined,
  name: string,
  value: unknown,
  facts: Facts,
): FieldChange {
  if (!custom) throw invalidOperation(`There is no custom type, so the field '${name}' cannot be set.`)
  const type = facts.resolve(custom.type)
  const definition = definitionOf(type, name)
  if (!definition) throw unknownField(type, name)
  const had = Object.hasOwn(custom.fields, name)
  const previousValue = had ? custom.fields[name] : undefined
  // Values whose field was removed from the type meanwhile do not come along.
  const defined = Object.entries(custom.fields).filter(([other]) => definitionOf(type, other) !== undefined)
  if (value === null || value === undefined) {
    if (!had) throw invalidOperation(`The custom field '${name}' has no value to remove.`)
    if (definition.required) throw ApiError.of('RequiredField', {field: name})
    const fields = Object.fromEntries(defined.filter(([other]) => other !== name))
    return {next: {...custom, fields}, kind: 'Removed', previousValue}
  }
  const stored = fieldValueOf(value, definition.type, name, facts)
  const next = {...custom, fields: {...Object.fromEntries(defined), [name]: stored}}
  if (!had) return {next, kind: 'Added', value: stored}
  return {next, kind: 'Changed', value: stored, previousValue}
}

/** The references in values of custom fields, to be read before the fold. */
export function referencesIn(value: unknown): readonly WantedReference[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  const {typeId, id, key} = value as Record<string, unknown>
  if (typeof typeId === 'string' && (typeof id === 'string' || typeof key === 'string')) {
    return [typeof id === 'string' ? {typeId, id} : {typeId, key: key as string}]
  }
  return Object.values(value).flatMap(referencesIn)
}

export const customReferencesOf = (custom: CustomFieldsDraft | undefined): readonly WantedReference[] =>
  custom ? [{...custom.type, typeId: 'type'}, ...referencesIn(custom.fields)] : []
