import {isObject} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {eachElement} from './draft-shape.js'

type Document = Readonly<Record<string, unknown>>

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
