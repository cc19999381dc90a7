import type {FieldDefinition, FieldType, Type} from '../../domain/collections/type.js'
import {equal, isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import type {Change, Document} from '../../store/store.js'
import {walked} from '../documents/walk.js'
import {collections} from '../operation/collection-table.js'
import {putOf} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {retrying} from '../operation/retrying.js'
import {fieldNames} from '../operation/stored-kinds.js'

/** What the fields of a type mean for other types, and for the values that resources have of them (decision 35). */

/** A kind of value, whatever the values of an enum: those of two types may differ. */
const kindOf = ({name, referenceTypeId, elementType}: FieldType): object => ({
  name,
  referenceTypeId,
  elementType: elementType && kindOf(elementType),
})

type Typed = Pick<FieldDefinition, 'name' | 'type'>

const isAlike = (a: Typed, b: Typed): boolean => a.name === b.name && equal(kindOf(a.type), kindOf(b.type))

/** Of one kind of resource, fields of one name have one type. Throws for one of `added` to a type that has another in `other`. */
export function checkAgreed(
  code: 'InvalidOperation' | 'InvalidSetup',
  added: readonly Typed[],
  {resourceTypeIds = []}: Type,
  other: Type,
): void {
  if (!other.resourceTypeIds?.some((id) => resourceTypeIds.includes(id))) return
  const clash = added.find((one) =>
    other.fieldDefinitions?.some((known) => known.name === one.name && !isAlike(known, one)),
  )
  if (!clash) return
  const message = `The field '${clash.name}' has another type in the type '${other.key ?? other.id}' for the same resources.`
  throw ApiError.of(code, {message})
}

/**
 * Throws InvalidOperation for a new field that has another type elsewhere; returns what makes commits of new fields exclude
 * each other, since each reads the types that are there.
 */
export async function agreedNames(context: Context, next: Type, before?: Type): Promise<readonly Change[]> {
  const {runtime, project} = context
  const {fieldDefinitions = []} = next
  const added = fieldDefinitions.filter((one) => !before?.fieldDefinitions?.some((known) => isAlike(known, one)))
  if (added.length === 0) return []
  const version = (await runtime.state.get(project.key, fieldNames, fieldNames))?.version ?? 0
  for await (const other of walked<Type>(runtime.state, project.key, 'type')) {
    if (other.id !== next.id) checkAgreed('InvalidOperation', added, next, other)
  }
  return [{kind: fieldNames, expect: version, doc: {id: fieldNames, version: version + 1}}]
}

/** A tree of JSON without the values of some fields of a type; the same tree if it has none of them. */
function without(value: unknown, typeId: string, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const next = value.map((entry: unknown) => without(entry, typeId, names))
    return next.every((entry, at) => entry === value[at]) ? value : next
  }
  if (!isObject(value)) return value
  const {type, fields} = value
  if (isObject(type) && type['id'] === typeId && isObject(fields)) {
    const kept = Object.entries(fields).filter(([name]) => !names.includes(name))
    return kept.length === Object.keys(fields).length ? value : {...value, fields: Object.fromEntries(kept)}
  }
  const entries = Object.entries(value).map(([name, member]) => [name, without(member, typeId, names)] as const)
  return entries.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(entries)
}

/**
 * Removes the values of the fields that a type has lost wherever resources have them, page by page; each resource that
 * had some gets a new version. The type is stored already, so that no values come to be behind it.
 */
export async function dropValues(context: Context, before: Type, after: Type): Promise<void> {
  const {runtime, project} = context
  const typeId = after.id
  const at = isoTime(context.now)
  const {fieldDefinitions: left = []} = after
  const gone = before.fieldDefinitions?.filter((one) => !left.some((known) => isAlike(known, one))) ?? []
  const names = gone.map(({name}) => name)
  if (names.length === 0) return
  for (const {typeId: kind, references} of collections) {
    if (!references?.['type']) continue
    for await (const document of walked<Document>(runtime.state, project.key, kind)) {
      if (without(document, typeId, names) === document) continue
      await retrying(async () => {
        const current = await runtime.state.get<Document>(project.key, kind, document.id)
        const next = current && (without(current, typeId, names) as Document)
        if (next === undefined || next === current) return
        const stamp = {version: next.version + 1, versionModifiedAt: at, lastModifiedAt: at}
        await runtime.state.commit(project.key, [putOf(kind, next.version, Object.assign({}, next, stamp))])
      })
    }
  }
}
