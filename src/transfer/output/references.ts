interface Reference {
  readonly typeId: unknown
  readonly id: unknown
  /** The whole resource, where it was expanded. */
  readonly obj?: {readonly key?: unknown}
}

/** A tree of JSON with its references changed. */
export function withReferences(value: unknown, change: (reference: Reference) => object): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withReferences(entry, change))
  if (typeof value !== 'object' || value === null) return value
  if ('typeId' in value && 'id' in value) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withReferences(member, change)]))
}
