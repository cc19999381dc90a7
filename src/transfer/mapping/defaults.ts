import {InputError} from '../files/input-error.js'
import type {Cell} from '../input/cell.js'
import {keepText} from './custom-texts.js'
import {checkedTarget, eachElement, type Target} from './draft-shape.js'
import {addressesOf} from './exported.js'
import type {Mapping} from './mapping.js'
import {type Document, valueAt, withValue} from './paths.js'
import {type Noted, passed} from './value-notes.js'
import {isList, type Piped, type Pipes, pipesOf, type ValuePipe} from './value-pipe.js'

/**
 * A value that a row gets when its columns are in place: a constant, a default, or a column that steps in. None of them
 * makes an address, and no role is given to an address that the row does not have.
 */
export interface Default {
  readonly target: Target
  /** Takes the place of a value that is there. */
  readonly overrides: boolean
  /** Columns of which the first with a value counts; none for a fixed value. */
  readonly sources: readonly string[]
  /** The value of the sources, or the fixed one whatever the cell. */
  readonly pipe: ValuePipe
}

/** Reads constants, defaults and fallbacks of a mapping. Throws InputError for what cannot be used. */
export async function defaultsOf(mapping: Mapping, {pipeOf, defaults, convert}: Pipes): Promise<readonly Default[]> {
  const fallbacks: Default[] = []
  for (const [path, given] of Object.entries(mapping.fallbacks ?? {})) {
    const target = checkedTarget(path, 'fallbacks')
    const entries = typeof given === 'string' || isList(given) ? [[given] as const] : Object.entries(given)
    for (const [sources, names] of entries) {
      const own = names === undefined ? {pipeOf} : await pipesOf({...mapping, transforms: {[path]: names}})
      fallbacks.push({target, overrides: false, sources: [sources].flat(), pipe: own.pipeOf(target)})
    }
  }
  const fixed = (path: string, overrides: boolean, valueFor: (target: Target) => Piped): Default => {
    const target = checkedTarget(path, 'constants')
    const piped = valueFor(target)
    if ('problem' in piped) throw new InputError(`The constant for '${path}' cannot be used: ${piped.problem}`)
    return {target, overrides, sources: [], pipe: () => piped}
  }
  return [
    ...fallbacks,
    ...defaults.map(([path, text]) => fixed(path, false, (target) => convert(target, text))),
    ...Object.entries(mapping.constants ?? {}).map(([path, value]) =>
      fixed(path, true, (target) => (typeof value === 'string' ? pipeOf(target)(value) : {value})),
    ),
  ]
}

/** The address that a default needs: its own, or the one that it names. */
export function addressNeeded({target, pipe, sources}: Default): number | typeof eachElement | undefined {
  if (target.segments[0] === 'addresses') return target.segments[1] as number | typeof eachElement
  if (target.leaf !== 'index' || sources.length > 0) return undefined
  const made = pipe('')
  return 'value' in made && typeof made.value === 'number' ? made.value : undefined
}

function placesOf(document: Document, given: Default): readonly (readonly (string | number)[])[] {
  const needed = addressNeeded(given)
  const {segments} = given.target
  if (needed === undefined) return [segments]
  const addresses = addressesOf(document)
  const there = [...addresses.keys()].filter((at) => addresses[at] !== undefined && addresses[at] !== null)
  if (needed === eachElement) return there.map((at) => segments.with(1, at))
  return there.includes(needed) ? [segments] : []
}

/**
 * Gives a document its defaults. `cellOf` is what the row has in a column. Returns columns with a value that steps in for
 * a member of an address, in a row without that address.
 */
export function applyDefaults(
  row: Noted & {readonly document: Document},
  defaults: readonly Default[],
  cellOf: (column: string) => Cell | undefined,
): string[] {
  const {document} = row
  const unplaced: string[] = []
  for (const one of defaults) {
    const column = one.sources.find((source) => cellOf(source) !== undefined)
    const cell = column === undefined ? undefined : cellOf(column)
    if (one.sources.length > 0 && cell === undefined) continue
    const places = placesOf(document, one)
    if (places.length === 0) {
      if (column !== undefined) unplaced.push(column)
      continue
    }
    const open = one.overrides ? places : places.filter((place) => valueAt(document, place) === undefined)
    const {target, pipe} = one
    const piped = open.length === 0 ? undefined : passed(row, {column: column ?? target.path, target, pipe}, cell ?? '')
    if (piped?.value === undefined) continue
    for (const place of open) {
      withValue(document, place, piped.value)
      if (piped.text !== undefined) keepText(valueAt(document, place.slice(0, -1)), place.at(-1), piped.text)
    }
  }
  return unplaced
}
