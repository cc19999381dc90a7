/** Ids of references in the target by those in the source. */
export type NewIds = ReadonlyMap<string, string>

/**
 * A tree of JSON whose references are named as another project knows them: by key where the resource stands beside the
 * reference and has one, else by the id that it has there.
 */
export function byKey(value: unknown, newIds: NewIds): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => byKey(entry, newIds))
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value && 'id' in value) {
    const {typeId, id, obj} = value as {typeId: unknown; id: unknown; obj?: {readonly key?: unknown}}
    return typeof obj?.key === 'string' ? {typeId, key: obj.key} : {typeId, id: newIds.get(String(id)) ?? id}
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, byKey(member, newIds)]))
}
