import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import {type Action, type AnyAction, actionOf, registryOf, setterOf} from '../action.js'
import {defined, equal, withMember} from '../equal.js'
import {ApiError, checkDistinct, checkRoom, invalidOperation} from '../errors.js'
import {Key, listOf, optional, Text} from '../rules.js'
import {Localized} from './localized.js'
import {
  customizable,
  definitionOf,
  type EnumValue,
  enumIn,
  type FieldDefinition,
  FieldDefinitionDraft,
  type FieldType,
  InputHint,
  LocalizedValue,
  PlainValue,
  type Type,
} from './type.js'
import {writable} from './writable.js'

/** The update actions of types. Source: API › Type update actions. */

const typeAction = actionOf<Type>()
const typeSetter = setterOf<Type>()

const definitionsOf = (type: Type): readonly FieldDefinition[] => type.fieldDefinitions ?? []

function fieldOf(type: Type, fieldName: string): FieldDefinition {
  const found = definitionsOf(type).find(({name}) => name === fieldName)
  if (found) return found
  throw invalidOperation(`The type has no field '${fieldName}'.`)
}

/** The type with another definition of one of its fields; the same type if that changes nothing. */
function withField(type: Type, fieldName: string, change: (definition: FieldDefinition) => FieldDefinition): Type {
  const before = fieldOf(type, fieldName)
  const after = change(before)
  if (equal(before, after)) return type
  return {
    ...type,
    fieldDefinitions: definitionsOf(type).map((definition) => (definition === before ? after : definition)),
  }
}

/** The things by name in another order. Undefined unless the names are exactly theirs. */
function ordered<T>(things: readonly T[], nameOf: (thing: T) => string, names: readonly string[]): T[] | undefined {
  const byName = new Map(things.map((thing) => [nameOf(thing), thing]))
  const chosen = [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
  return chosen.length === things.length && names.length === things.length ? chosen : undefined
}

const definitionAction = <const S extends v.GenericSchema>(action: Omit<Action<Type, S>, 'fields'>) =>
  typeAction<S>({...action, fields: ['fieldDefinitions']})

const members: readonly AnyAction<Type>[] = [
  typeSetter({
    name: 'changeKey',
    summary: 'change the key of the type',
    member: 'key',
    schema: Key,
    errors: ['DuplicateField'],
  }),
  typeSetter({
    name: 'changeName',
    summary: 'change the name of the type',
    member: 'name',
    schema: Localized,
  }),
  typeSetter({
    name: 'setDescription',
    summary: 'set or remove the description of the type',
    member: 'description',
    schema: optional(Localized),
  }),
]

const definitions: readonly AnyAction<Type>[] = [
  definitionAction({
    name: 'addFieldDefinition',
    summary: 'define one more field',
    schema: v.object({fieldDefinition: FieldDefinitionDraft}),
    errors: ['DuplicateField', 'DuplicateEnumValues', 'MaxResourceLimitExceeded'],
    apply: (type, {fieldDefinition}) => {
      const next = [...definitionsOf(type), definitionOf(fieldDefinition)]
      checkDistinct('fieldDefinitions', 'name', next)
      checkRoom(next.length, limits.fieldDefinitions, 'field-definition')
      return {next: {...type, fieldDefinitions: next}}
    },
  }),
  definitionAction({
    name: 'removeFieldDefinition',
    summary: 'remove a field, and its values wherever it has some',
    schema: v.object({fieldName: Text}),
    errors: ['InvalidOperation'],
    apply: (type, {fieldName}) => {
      const gone = fieldOf(type, fieldName)
      return {next: {...type, fieldDefinitions: definitionsOf(type).filter((definition) => definition !== gone)}}
    },
  }),
  definitionAction({
    name: 'changeFieldDefinitionOrder',
    summary: 'put the fields into another order',
    schema: v.object({fieldNames: listOf(Text, limits.fieldDefinitions)}),
    errors: ['InvalidOperation'],
    apply: (type, {fieldNames}) => {
      const next = ordered(definitionsOf(type), ({name}) => name, fieldNames)
      if (next) return {next: withMember(type, 'fieldDefinitions', next)}
      throw invalidOperation('The names must be those of all fields of the type, each once.')
    },
  }),
  definitionAction({
    name: 'changeLabel',
    summary: 'change the label of a field',
    schema: v.object({fieldName: Text, label: Localized}),
    errors: ['InvalidOperation'],
    apply: (type, {fieldName, label}) => ({next: withField(type, fieldName, (field) => ({...field, label}))}),
  }),
  definitionAction({
    name: 'changeInputHint',
    summary: 'say whether a field is typed in one line or several',
    schema: v.object({fieldName: Text, inputHint: InputHint}),
    errors: ['InvalidOperation'],
    apply: (type, {fieldName, inputHint}) => ({next: withField(type, fieldName, (field) => ({...field, inputHint}))}),
  }),
]

type EnumName = 'Enum' | 'LocalizedEnum'

/** The type with other values of an enum field, or of a set of one. Throws InvalidOperation for a field of another kind. */
function withValues(
  type: Type,
  fieldName: string,
  kind: EnumName,
  change: (values: readonly EnumValue[]) => readonly EnumValue[],
): Type {
  return withField(type, fieldName, (field) => {
    const list = enumIn(field)
    if (list.name !== kind) throw invalidOperation(`The field '${fieldName}' is no ${kind}, nor a set of one.`)
    const next: FieldType = {...list, values: change(list.values ?? [])}
    return {...field, type: field.type.elementType ? {...field.type, elementType: next} : next}
  })
}

/** The three actions on the values of one kind of enum: `infix` stands in their names. */
function enumActions(
  kind: EnumName,
  infix: string,
  value: v.GenericSchema<unknown, EnumValue>,
): readonly AnyAction<Type>[] {
  const conflict = (fieldName: string, key: string) => ({conflictingEnumKey: key, conflictingAttributeName: fieldName})
  const whose = kind === 'Enum' ? 'an enum' : 'a localized enum'
  return [
    definitionAction({
      name: `add${infix}Value`,
      summary: `add a value to ${whose}`,
      schema: v.object({fieldName: Text, value}),
      errors: ['InvalidOperation', 'EnumKeyAlreadyExists', 'MaxResourceLimitExceeded'],
      apply: (type, body) => ({
        next: withValues(type, body.fieldName, kind, (values) => {
          const {key} = body.value
          if (values.some((other) => other.key === key)) {
            throw ApiError.of('EnumKeyAlreadyExists', conflict(body.fieldName, key))
          }
          checkRoom(values.length + 1, limits.enumValues, 'enum-value')
          return [...values, body.value]
        }),
      }),
    }),
    definitionAction({
      name: `change${infix}ValueLabel`,
      summary: `change the label of a value of ${whose}`,
      schema: v.object({fieldName: Text, value}),
      errors: ['InvalidOperation', 'EnumKeyDoesNotExist'],
      apply: (type, body) => ({
        next: withValues(type, body.fieldName, kind, (values) => {
          const {key} = body.value
          if (!values.some((other) => other.key === key)) {
            throw ApiError.of('EnumKeyDoesNotExist', conflict(body.fieldName, key))
          }
          return values.map((other) => (other.key === key ? body.value : other))
        }),
      }),
    }),
    definitionAction({
      name: `change${infix}ValueOrder`,
      summary: `put the values of ${whose} into another order`,
      schema: v.object({fieldName: Text, keys: listOf(Text, limits.enumValues)}),
      errors: ['InvalidOperation', 'EnumValuesMustMatch'],
      apply: (type, {fieldName, keys}) => ({
        next: withValues(type, fieldName, kind, (values) => {
          const next = ordered(values, ({key}) => key, keys)
          if (!next) throw ApiError.of('EnumValuesMustMatch', {})
          return next
        }),
      }),
    }),
  ]
}

const TypeDraft = v.object({
  key: Key,
  name: Localized,
  description: optional(Localized),
  resourceTypeIds: listOf(v.picklist(customizable), customizable.length),
  fieldDefinitions: optional(listOf(FieldDefinitionDraft, limits.fieldDefinitions)),
})

export const types = writable<Type, v.InferOutput<typeof TypeDraft>>({
  typeId: 'type',
  draft: TypeDraft,
  actions: registryOf<Type>([
    ...members,
    ...definitions,
    ...enumActions('Enum', 'Enum', PlainValue),
    ...enumActions('LocalizedEnum', 'LocalizedEnum', LocalizedValue),
  ]),
  references: () => [],
  membersOf: ({key, name, description, resourceTypeIds, fieldDefinitions = []}) => {
    checkDistinct('fieldDefinitions', 'name', fieldDefinitions)
    return defined({
      key,
      name,
      description,
      resourceTypeIds: [...new Set(resourceTypeIds)],
      fieldDefinitions: fieldDefinitions.map(definitionOf),
    })
  },
  unique: ['key'],
})
