import {isObject} from '../../domain/equal.js'
import {draftShape, type Shape} from './draft-shape.js'

type Document = Record<string, unknown>

/** Puts a value at a place, making the objects and arrays on the way. Segments come from `targetOf`. */
export function withValue(document: Document, segments: readonly (string | number)[], value: unknown): void {
  let here: unknown = document
  for (const [at, segment] of segments.entries()) {
    const container = here as Record<string | number, unknown>
    if (at === segments.length - 1) {
      container[segment] = value
      return
    }
    const next = container[segment]
    if (typeof next !== 'object' || next === null) container[segment] = typeof segments[at + 1] === 'number' ? [] : {}
    here = container[segment]
  }
}

/** The value at a place, if there is one. */
export function valueAt(document: Document, segments: readonly (string | number)[]): unknown {
  let here: unknown = document
  for (const segment of segments) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, segment)) return undefined
    here = (here as Record<string | number, unknown>)[segment]
  }
  return here
}

/** Removes and returns what a column of a JSON row names: a member of just that name, else a dotted path. */
export function take(document: Document, column: string): unknown {
  const segments = Object.hasOwn(document, column) ? [column] : column.split('.')
  const last = segments.at(-1) ?? ''
  const parent = valueAt(document, segments.slice(0, -1))
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return undefined
  const container = parent as Document
  const value = container[last]
  delete container[last]
  return value
}

/** The document without members that no draft has; each is told once by its path. */
export function pruned(document: Document, dropped: (path: string) => void): Document {
  return prunedMembers(document, draftShape, '', dropped)
}

function prunedMembers(
  value: Document,
  members: ReadonlyMap<string, Shape>,
  at: string,
  dropped: (path: string) => void,
): Document {
  const kept: Document = {}
  for (const [name, member] of Object.entries(value)) {
    const shape = members.get(name)
    // An expanded reference carries the whole resource; the reference itself says enough.
    if (shape) kept[name] = prunedValue(member, shape, `${at}${name}`, dropped)
    else if (name !== 'obj') dropped(`${at}${name}`)
  }
  return kept
}

function prunedValue(value: unknown, shape: Shape, at: string, dropped: (path: string) => void): unknown {
  if (shape.kind === 'members' && isObject(value)) return prunedMembers(value, shape.members, `${at}.`, dropped)
  if (shape.kind === 'each' && Array.isArray(value)) {
    return value.map((entry: unknown) => prunedValue(entry, shape.each, `${at}.*`, dropped))
  }
  return value
}
