/** Freezes a tree of plain values and returns it. The port hands documents out frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) for (const member of value) frozen(member)
  else for (const name in value) frozen(value[name])
  return Object.freeze(value)
}
