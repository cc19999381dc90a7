import {isObject} from '../../domain/equal.js'
import {elementText} from '../input/element-text.js'
import {draftShape, eachElement, type Shape} from './draft-shape.js'

type Document = Record<string, unknown>

/** Puts a value at a place, making the objects and arrays on the way. Segments come from `targetOf`. */
export function withValue(document: Document, segments: readonly (string | number)[], value: unknown): void {
  let container: Record<string | number, unknown> = document
  const last = segments.length - 1
  for (let at = 0; at < last; at += 1) {
    const segment = segments[at] as string | number
    const next = container[segment]
    if (typeof next !== 'object' || next === null) container[segment] = typeof segments[at + 1] === 'number' ? [] : {}
    container = container[segment] as typeof container
  }
  if (last >= 0) container[segments[last] as string | number] = value
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

/**
 * Removes and returns what a column of a row names: a member of just that name, else a dotted path. With `*` in the path
 * there is a value for each element; a single element need not be a list.
 */
export function takeAll(
  document: Document,
  column: string,
): readonly {readonly value: unknown; readonly at?: number}[] {
  if (Object.hasOwn(document, column) || !column.includes(eachElement)) {
    const value = take(document, Object.hasOwn(document, column) ? [column] : column.split('.'))
    return value === undefined ? [] : [{value}]
  }
  const segments = column.split('.')
  const each = segments.indexOf(eachElement)
  const list = valueAt(document, segments.slice(0, each))
  const inside = segments.slice(each + 1)
  const elements: readonly unknown[] = list === undefined ? [] : [list].flat()
  if (inside.length === 0) return elements.map((value, at) => ({value, at}))
  return elements.flatMap((element, at) => {
    const value = isObject(element) ? take(element, inside) : undefined
    return value === undefined ? [] : [{value, at}]
  })
}

function take(document: Document, segments: readonly string[]): unknown {
  const last = segments.at(-1) ?? ''
  const parent = valueAt(document, segments.slice(0, -1))
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return undefined
  const container = parent as Document
  const value = container[last]
  delete container[last]
  return isObject(value) && Object.hasOwn(value, elementText) ? value[elementText] : value
}

/** The paths of all values in a document, with `*` for elements of lists. */
export function leafPaths(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry) => leafPaths(entry, `${at}.${eachElement}`)))]
  if (!isObject(value)) return [at]
  return Object.entries(value).flatMap(([name, member]) => leafPaths(member, at === '' ? name : `${at}.${name}`))
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
