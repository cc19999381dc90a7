/** A derived value by name; the functions that compute them. */
export type FacetFunctions<D> = Readonly<Record<string, (document: D) => string | undefined>>

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inherited = (name: string): boolean => name in Object.prototype

/**
 * Reads one member of a document: an own one, never an inherited such as `constructor`. The check costs time, so names
 * that nothing is inherited by go without it. Absent and null are undefined.
 */
function memberReader(name: string): (node: unknown) => unknown {
  if (inherited(name)) {
    return (node) => (isObject(node) && Object.hasOwn(node, name) ? (Reflect.get(node, name) ?? undefined) : undefined)
  }
  return (node) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? ((node as Record<string, unknown>)[name] ?? undefined)
      : undefined
}

/** Reads the value at a path of objects. Arrays on the way are not entered. */
export function pathReader(path: readonly string[]): (node: unknown) => unknown {
  const readers = path.map(memberReader)
  const [first, ...rest] = readers
  if (first === undefined) return (node) => node ?? undefined
  if (rest.length === 0) return first
  return (node) => rest.reduce((value, read) => read(value), first(node))
}

/** The function of a facet. Asking for one that nobody gave is a fault of the program, not of the query. */
export function facetFunction<D>(facets: FacetFunctions<D>, name: string): (document: D) => string | undefined {
  const compute = Object.hasOwn(facets, name) ? facets[name] : undefined
  if (compute === undefined) throw new Error(`no facet ${name} was given`)
  return compute
}
