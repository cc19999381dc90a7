import {isObject} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {elementText} from '../input/xml-rows.js'
import {draftShape, eachElement, type Leaf, type Shape} from './draft-shape.js'

export type Document = Record<string, unknown>

/**
 * Puts a value at a place, making the objects and arrays on the way, and tells whether a value was there. Segments come
 * from `targetOf`.
 */
export function withValue(document: Document, segments: readonly (string | number)[], value: unknown): boolean {
  let wasThere = false
  let container: Record<string | number, unknown> = document
  const last = segments.length - 1
  for (let at = 0; at < last; at += 1) {
    const segment = segments[at] as string | number
    const next = container[segment]
    if (typeof next !== 'object' || next === null) {
      wasThere ||= isValue(next)
      container[segment] = typeof segments[at + 1] === 'number' ? [] : {}
    }
    container = container[segment] as typeof container
  }
  const name = segments[last]
  if (name === undefined) return wasThere
  wasThere ||= isValue(container[name])
  container[name] = value
  return wasThere
}

const isValue = (value: unknown): boolean => value !== undefined && value !== null

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
  const inside = segments.slice(each + 1)
  const path = segments.slice(0, each)
  const list = inside.length === 0 ? take(document, path) : valueAt(document, path)
  const elements: readonly unknown[] = list === undefined ? [] : [list].flat()
  if (inside.length === 0) return elements.map((value, at) => ({value: contentOf(value), at}))
  return elements.flatMap((element, at) => {
    const value = isObject(element) ? take(element, inside) : undefined
    return value === undefined ? [] : [{value, at}]
  })
}

/** The value that a column of a row names, without taking it: a member of just that name, else a dotted path. */
export function peek(document: Document, column: string): unknown {
  return contentOf(Object.hasOwn(document, column) ? document[column] : valueAt(document, column.split('.')))
}

/** The text of an XML element with attributes; any other value is itself. */
const contentOf = (value: unknown): unknown =>
  isObject(value) && Object.hasOwn(value, elementText) ? value[elementText] : value

function take(document: Document, segments: readonly string[]): unknown {
  const last = segments.at(-1) ?? ''
  const parent = valueAt(document, segments.slice(0, -1))
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return undefined
  const container = parent as Document
  const value = container[last]
  delete container[last]
  return contentOf(value)
}

/** The paths of all values in a document, with `*` for elements of lists. */
export function leafPaths(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry) => leafPaths(entry, `${at}.${eachElement}`)))]
  if (!isObject(value)) return [at]
  return Object.entries(value).flatMap(([name, member]) => leafPaths(member, at === '' ? name : `${at}.${name}`))
}

/** What becomes of the values of a document under the names of a draft. */
export interface OwnMembers {
  /** A member that no draft has, by its path. */
  dropped(path: string, value: unknown): void
  /** The value of a member; undefined if it has none. Its path is `at + name`. */
  convert(value: unknown, leaf: Leaf, at: string, name: string): unknown
  /** Whether the map reads members of what is a plain value in a draft: then nothing there is one of a draft. */
  isApart(path: string): boolean
}

/** What was taken leaves an empty object. */
const isEmptied = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0

/** The members of a document that a draft has, converted. Runs for every row: paths are made where somebody asks. */
export function ownMembers(value: Readonly<Document>, own: OwnMembers, members = draftShape, at = ''): Document {
  const kept: Document = {}
  for (const name of Object.keys(value)) {
    const member = value[name]
    const shape = members.get(name)
    const made = shape && valueIn(member, shape, at, name, own)
    if (made !== undefined) kept[name] = made
    // An expanded reference carries the whole resource; the reference itself says enough.
    else if (!shape && name !== 'obj' && !isEmptied(member)) own.dropped(at + name, member)
  }
  return kept
}

function valueIn(value: unknown, shape: Shape, at: string, name: string, own: OwnMembers): unknown {
  if (shape.kind === 'leaf') {
    if (typeof value !== 'object' || !own.isApart(at + name)) return own.convert(value, shape.leaf, at, name)
    own.dropped(at + name, value)
    return undefined
  }
  const inside = `${at}${name}.`
  const isApart = shape.kind === 'each' && shape.each.kind === 'leaf' && own.isApart(inside + eachElement)
  if (shape.kind === 'each' && Array.isArray(value)) {
    const made: unknown[] = []
    for (const [index, entry] of value.entries()) {
      made.push(isEmptied(entry) ? undefined : valueIn(entry, shape.each, inside, `${index}`, own))
    }
    const isNone = isApart ? made.every((one) => one === undefined) : value.length > 0 && value.every(isEmptied)
    return isNone ? undefined : made
  }
  if (!isObject(value)) return value === '' || isApart ? undefined : value
  if (shape.kind === 'open') return openIn(value, inside, own)
  if (shape.kind !== 'members') return value
  const kept = ownMembers(value, own, shape.members, inside)
  // Nothing but empty texts is nothing.
  return Object.keys(kept).length === 0 && Object.values(value).includes('') ? undefined : kept
}

/** A value of a custom field as requests of imports write it: `{"type": "String", "value": "blue"}`. */
const typedValue = (member: unknown): unknown =>
  isObject(member) &&
  Object.keys(member).length === 2 &&
  Object.hasOwn(member, 'value') &&
  /^[A-Z][A-Za-z]+$/.test(String(member['type']))
    ? member['value']
    : member

/** A text of a custom field stays one, also if it looks like JSON. */
function openIn(value: Document, at: string, own: OwnMembers): Document {
  const entries = Object.entries(value).map(([name, given]) => {
    const member = typedValue(given)
    return [name, typeof member === 'string' ? own.convert(member, 'text', at, name) : member]
  })
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as Document
}

/** The paths of a map that no document had so far. */
export class UnmetPaths {
  readonly paths: Set<string>
  readonly #segments: ReadonlyMap<string, readonly string[]>

  constructor(paths: Iterable<string>) {
    this.paths = new Set(paths)
    this.#segments = new Map([...this.paths].map((path) => [path, path.split('.')]))
  }

  meet(document: Document): void {
    for (const path of this.paths) {
      if (Object.hasOwn(document, path) || isThere(document, this.#segments.get(path) ?? [])) this.paths.delete(path)
    }
  }
}

/** Whether a value has a path. Below null, an empty text and an empty list every path counts as there. */
function isThere(value: unknown, [segment, ...rest]: readonly string[]): boolean {
  if (value === null || value === '') return true
  if (value === undefined || segment === undefined) return value !== undefined
  if (segment === eachElement) {
    const list = [value].flat()
    return list.length === 0 || list.some((element: unknown) => isThere(element, rest))
  }
  if (Array.isArray(value)) return /^\d+$/.test(segment) && isThere(value[Number(segment)] ?? null, rest)
  return isObject(value) && Object.hasOwn(value, segment) && isThere(value[segment], rest)
}

export function neverMet(path: string, file: string, {isWhere, others}: {isWhere: boolean; others: Iterable<string>}) {
  const untaken = [...others].slice(0, 20)
  const list = untaken.length > 0 ? `What no part of the map takes: ${untaken.join(', ')}. ` : ''
  const way = isWhere ? 'A filter needs its column.' : 'Where rows may lack it, say "optionalColumns": true in the map.'
  return new InputError(`No row of ${file} has '${path}', which the map names.`, {
    file,
    column: path,
    remedy: list + way,
  })
}

export const neverFilled = (path: string, section: string): InputError =>
  new InputError(`'${path}' in ${section} of the map has no effect: nothing fills it.`, {
    remedy:
      'Map a column to it, or leave it out. Where files may lack the column, say "optionalColumns": true in the map.',
  })
