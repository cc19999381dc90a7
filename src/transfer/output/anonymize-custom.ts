import type {Pseudonyms} from './pseudonyms.js'

/** Pseudonyms in custom fields: values that a Type still takes, and that say nothing of the person. */

interface FieldType {
  readonly name?: unknown
  readonly elementType?: FieldType
}

/** Choices from a short list that the project made: another one would be as arbitrary, or no choice of the list. */
const choices: ReadonlySet<string> = new Set(['Boolean', 'Enum', 'LocalizedEnum'])

type Change = (names: Pseudonyms, value: string) => string

/** What keeps the form that the type asks for; any other text is changed letter by letter. */
const changes: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['Date', (names, value) => names.date(value)],
  ['DateTime', (names, value) => `${names.date(value)}${value.slice('2000-01-01'.length)}`],
  ['Time', (names, value) => names.time(value)],
])

/** Custom fields with pseudonyms; the type stays, so that they can be imported. */
export function changedCustom(custom: unknown, names: Pseudonyms): unknown {
  const {type, fields} = custom as {
    readonly type: {readonly obj?: {readonly [member: string]: unknown}}
    readonly fields: object
  }
  const definitions = type.obj?.['fieldDefinitions']
  const types = new Map(
    (Array.isArray(definitions) ? (definitions as {name: string; type: FieldType}[]) : []).map((definition) => [
      definition.name,
      definition.type,
    ]),
  )
  const entries = Object.entries(fields).map(([field, value]) => {
    const fieldType = types.get(field)
    const element = String((fieldType?.name === 'Set' ? fieldType.elementType : fieldType)?.name)
    return [field, choices.has(element) ? value : changed(value, names, changes.get(element))] as const
  })
  return {type, fields: Object.fromEntries(entries)}
}

/** Members of values that give them their form. */
const structural: ReadonlySet<string> = new Set(['type', 'typeId', 'currencyCode', 'fractionDigits'])

function changed(value: unknown, names: Pseudonyms, change: Change = (_, text) => names.shape(text)): unknown {
  if (typeof value === 'string') return change(names, value)
  if (typeof value === 'number') return names.number(value)
  if (Array.isArray(value)) return value.map((entry) => changed(entry, names, change))
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value) return reference(value, names)
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      structural.has(member) ? inner : changed(inner, names, change),
    ]),
  )
}

/** A reference to a customer names a person; others name things of the project. Nothing expanded stays. */
function reference(value: object, names: Pseudonyms): object {
  const {typeId, id, key} = value as Readonly<Record<string, unknown>>
  if (typeId !== 'customer') return value
  return {
    typeId,
    ...(typeof id === 'string' ? {id: names.id(id)} : {}),
    ...(typeof key === 'string' ? {key: names.key(key)} : {}),
  }
}
