import {isObject} from '../domain/equal.js'
import type {CustomShapes, Shape} from './ast.js'

export type FacetFunctions<D> = Readonly<Record<string, (document: D) => string | undefined>>

/**
 * Reads one own member of a document, never an inherited one such as `constructor`. Names that Object.prototype lacks
 * need no check, which saves time. Absent and null are undefined.
 */
function memberReader(name: string): (node: unknown) => unknown {
  if (name in Object.prototype) {
    return (node) => (isObject(node) && Object.hasOwn(node, name) ? (Reflect.get(node, name) ?? undefined) : undefined)
  }
  return (node) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? ((node as Record<string, unknown>)[name] ?? undefined)
      : undefined
}

/** Reads the value at a path of objects. Does not descend into arrays. */
export function pathReader(path: readonly string[]): (node: unknown) => unknown {
  const readers = path.map(memberReader)
  const [first, ...rest] = readers
  if (first === undefined) return (node) => node ?? undefined
  if (rest.length === 0) return first
  return (node) => rest.reduce((value, read) => read(value), first(node))
}

/** The function of a facet. Throws a plain error for an unknown one: a bug, never a fault of the query. */
export function facetFunction<D>(facets: FacetFunctions<D>, name: string): (document: D) => string | undefined {
  const compute = Object.hasOwn(facets, name) ? facets[name] : undefined
  if (compute === undefined) throw new Error(`no facet ${name} was given`)
  return compute
}

/** Of a member that may be anything. */
export const anything: Shape = {open: true}

/**
 * The shape of a member; undefined if there is none. A custom field has the shape that the types of its project give it,
 * and any shape if no type has its name.
 */
export function memberOf(shape: Shape, name: string, custom: CustomShapes | undefined): Shape | undefined {
  if ('fieldsOf' in shape) return custom?.get(shape.fieldsOf)?.get(name) ?? anything
  if ('open' in shape) return shape.of ?? anything
  return 'members' in shape && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
}
