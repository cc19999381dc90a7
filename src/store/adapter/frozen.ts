/** Freezes a tree of plain values and returns it. The port hands documents out frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

/**
 * Freezes a tree, and tells whether its JSON would read as an equal one: no undefined members, no numbers that JSON lacks,
 * nothing but plain objects and arrays. If not, a part of it may be frozen.
 */
export function isFrozenJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || !isPlain(value)) return false
  for (const name of Object.keys(value)) {
    if (!isFrozenJson((value as Readonly<Record<string, unknown>>)[name])) return false
  }
  Object.freeze(value)
  return true
}

/** Arrays with holes are not plain: JSON has null for what they lack. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return Object.keys(value).length === value.length
  return Object.getPrototypeOf(value) === Object.prototype
}
