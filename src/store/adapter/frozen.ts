/** Freezes a tree of plain values and returns it. The port hands documents out frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
