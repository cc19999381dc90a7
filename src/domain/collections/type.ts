import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import {ApiError} from '../errors.js'
import {listOf, optional, rule} from '../rules.js'
import {Localized, type LocalizedString} from './localized.js'
import type {Resource} from './writable.js'

type Label = string | LocalizedString

export interface EnumValue {
  readonly key: string
  readonly label: Label
}

/** What values a field takes. Source: API › FieldType. */
export interface FieldType {
  readonly name: string
  readonly values?: readonly EnumValue[]
  readonly referenceTypeId?: string
  readonly elementType?: FieldType
}

/** The custom fields of some kinds of resource. Source: API › Type. */
export interface Type extends Resource {
  readonly name?: LocalizedString
  readonly description?: LocalizedString
  readonly resourceTypeIds?: readonly string[]
  readonly fieldDefinitions?: readonly FieldDefinition[]
}

/** Kinds of resource that have custom fields. Source: API › ResourceTypeId. */
export const customizable = [
  'address',
  'approval-flow',
  'approval-rule',
  'asset',
  'associate-role',
  'business-unit',
  'cart-discount',
  'category',
  'channel',
  'custom-line-item',
  'customer',
  'customer-group',
  'discount-code',
  'inventory-entry',
  'line-item',
  'order',
  'order-delivery',
  'order-edit',
  'order-parcel',
  'order-return-item',
  'payment',
  'payment-interface-interaction',
  'payment-method',
  'payment-method-info',
  'product-price',
  'product-selection',
  'product-tailoring',
  'quote',
  'recurring-order',
  'reservation',
  'review',
  'shipping',
  'shipping-method',
  'shopping-list',
  'shopping-list-text-line-item',
  'standalone-price',
  'store',
  'transaction',
] as const

/** What a field of references may point at. Source: API › CustomFieldReferenceValue. */
const referable = [
  'approval-flow',
  'approval-rule',
  'associate-role',
  'business-unit',
  'cart',
  'cart-discount',
  'category',
  'channel',
  'customer',
  'customer-group',
  'key-value-document',
  'order',
  'product',
  'product-type',
  'review',
  'shipping-method',
  'state',
  'variant',
  'zone',
] as const

const named = (pattern: RegExp, text: string) =>
  v.pipe(
    v.string(),
    rule((name: string) => pattern.test(name), text),
  )

/** The platform states no form for the keys of enum values; they are what custom fields hold. */
const EnumKey = named(/./s, 'The key of a value is not empty.')

export const PlainValue = v.object({key: EnumKey, label: v.string()})
export const LocalizedValue = v.object({key: EnumKey, label: Localized})

const plain = ['Boolean', 'Number', 'String', 'LocalizedString', 'Money', 'Date', 'Time', 'DateTime'] as const

const elements = [
  ...plain.map((name) => v.object({name: v.literal(name)})),
  v.object({name: v.literal('Enum'), values: listOf(PlainValue, limits.enumValues)}),
  v.object({name: v.literal('LocalizedEnum'), values: listOf(LocalizedValue, limits.enumValues)}),
  v.object({name: v.literal('Reference'), referenceTypeId: v.picklist(referable)}),
] as const

/** Sets hold values of every other kind, not sets. */
const AnyFieldType = v.variant('name', [
  ...elements,
  v.object({name: v.literal('Set'), elementType: v.variant('name', [...elements])}),
]) as unknown as v.GenericSchema<unknown, FieldType>

export const InputHint = v.picklist(['SingleLine', 'MultiLine'])

// Names are longer than the reference says: decision 65.
export const FieldDefinitionDraft = v.object({
  type: AnyFieldType,
  name: named(
    /^(?!__proto__$)[A-Za-z0-9_-]{2,256}$/,
    'The name of a field has 2 to 256 of the characters A-Z, a-z, 0-9, _ and -, and is not __proto__.',
  ),
  label: Localized,
  required: v.boolean(),
  inputHint: optional(InputHint),
})

export type FieldDefinitionDraft = v.InferOutput<typeof FieldDefinitionDraft>
export type FieldDefinition = Readonly<Omit<FieldDefinitionDraft, 'inputHint'>> & {readonly inputHint: string}

/** The list of values of an enum, or of a set of one. */
export const enumIn = ({type}: Pick<FieldDefinition, 'type'>): FieldType => type.elementType ?? type

/** A definition as it is stored. Throws DuplicateEnumValues for values that share a key. */
export function definitionOf({type, name, label, required, inputHint}: FieldDefinitionDraft): FieldDefinition {
  const keys = (enumIn({type}).values ?? []).map(({key}) => key)
  const duplicates = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))]
  if (duplicates.length > 0) throw ApiError.of('DuplicateEnumValues', {duplicates})
  return {type, name, label, required, inputHint: inputHint ?? 'SingleLine'}
}
