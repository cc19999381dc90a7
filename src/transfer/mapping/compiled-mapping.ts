import {defined, grouped} from '../../domain/equal.js'
import {InputError} from '../files/input-error.js'
import {defaultsOf} from './defaults.js'
import {checkedTarget, eachElement, isAppended, starred, type Target} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {withValue} from './paths.js'
import {type Noted, passed} from './value-notes.js'
import {type Assignment, pipesOf, type ValuePipe} from './value-pipe.js'

/** A target that several columns fill together. */
interface Combined extends Omit<Assignment, 'column'> {
  readonly columns: readonly string[]
  readonly combine: (texts: readonly string[]) => string
}

/** A mapping that was checked and made ready; it does not depend on a source yet. */
export type CompiledMapping = Awaited<ReturnType<typeof compiledMapping>>

/** Checks a mapping; `today`: the last day of a birth. Throws InputError for targets, transforms and constants that cannot be. */
export async function compiledMapping(mapping: Mapping, today?: string) {
  const pipes = await pipesOf(mapping, today)
  const {pipeOf, listOf, isPlain, idle} = pipes
  const combined: Combined[] = []
  const columns = new Map<string, Assignment[]>(Object.keys(mapping.columns ?? {}).map((column) => [column, []]))
  for (const sources of sourcesOf(mapping)) {
    const names = sources.map((source) => source.column)
    const {path = '', appends} = sources[0] ?? {}
    const target = checkedTarget(path, 'columns')
    const combine = listOf(target.path)?.combine
    const pipe = pipeOf(target)
    const [column = '', other] = names
    const place = {target, pipe, ...defined({appends})}
    if (combine && (other !== undefined || column.includes(eachElement))) {
      checkIsOneList(path, names)
      combined.push({...place, columns: names, combine})
    } else if (other !== undefined) throw claimedTwice(path, column, other)
    else columns.get(column)?.push({...place, column})
    if (Object.hasOwn(mapping.constants ?? {}, path)) throw claimedTwice(path, column, 'a constant')
  }
  for (const path of Object.keys(mapping.aliases ?? {})) checkedTarget(path, 'aliases')
  for (const path of Object.keys(mapping.transforms ?? {})) checkedTarget(path, 'transforms')
  // What joined rows bring passes the pipes of a map of its own.
  for (const path of (mapping.join ?? []).flatMap((rule) => Object.values(rule.columns).flat())) idle.delete(path)
  return {
    /** Source column to where its values go. A column with `*` stands for numbered ones. */
    columns,
    combined,
    /** Targets of transforms and aliases that nothing fills so far, to the section that names them. */
    idle,
    /** Values that rows get when their columns are in place. */
    defaults: await defaultsOf(mapping, pipes),
    records: new Map(
      Object.entries(mapping.records ?? {}).map(([column, rule]) => [column, recordCell(column, rule, pipeOf)]),
    ),
    pipeOf,
    /** Pipes differ by the types of members alone. */
    isPlain,
    continuation: mapping.continuation,
    /** Column to the values of rows that are taken; an absent value is an empty text. */
    where: new Map(
      Object.entries(mapping.where ?? {}).map(([column, values]) => [column, new Set([values].flat().map(String))]),
    ),
    optionalColumns: mapping.optionalColumns === true,
    /** Columns that are not read, also if they bear the name of a member. */
    leftOut: new Set(Object.keys(mapping.leftOut ?? {})),
  }
}

/** The columns that fill a target together. */
function sourcesOf(mapping: Mapping) {
  const pairs = Object.entries(mapping.columns ?? {}).flatMap(([column, paths]) =>
    [paths].flat().map((path) => ({column, path})),
  )
  const bringing = pairs.filter(({path}) => isAppended(path)).map(({column}) => column)
  const sources = pairs.map(({column, path}) => {
    const appends = isAppended(path) ? sourceOf(column, bringing) : undefined
    return [`${path}\n${appends ?? ''}`, {path, appends, column}] as const
  })
  return grouped(sources).values()
}

/** The object of a path, which ends with a dot; the numbered columns; or the row. */
export const holderOf = (column: string): string =>
  column.slice(0, column.lastIndexOf('.') + 1) || (column.includes(eachElement) ? eachElement : '')

const listOf = (holder: string): string => /^.*\.\*/.exec(holder)?.[0] ?? ''

/** Whether an object, or an element of the same list, holds another. */
export const holds = (outer: string, inner: string): boolean =>
  outer.endsWith('.') && inner.startsWith(outer) && listOf(outer) === listOf(inner)

/** What brings an address: the outermost object of the map around a column. Throws InputError if that holds two of them. */
function sourceOf(column: string, others: readonly string[]): string {
  const own = holderOf(column)
  const holders = [...new Set(others.map(holderOf))].sort((one, other) => one.length - other.length)
  const outermost = holders.find((one) => holds(one, own)) ?? own
  const inner = holders.filter((one) => holds(outermost, one))
  const deepest = inner.at(-1) ?? ''
  const aside = inner.find((one) => !holds(one, deepest))
  if (aside === undefined) return outermost
  throw new InputError(
    `'${outermost.slice(0, -1)}' holds '${aside.slice(0, -1)}' and '${deepest.slice(0, -1)}': one address or two?`,
    {remedy: 'Number the addresses instead of +, such as addresses.0.city and addresses.1.city.'},
  )
}

/** Elements of two lists have nothing in common but their number. */
function checkIsOneList(path: string, columns: readonly string[]): void {
  if (!path.includes(eachElement)) return
  const [one = '', other] = new Set(columns.map((column) => column.split(eachElement, 1)[0] ?? ''))
  if (other !== undefined) throw claimedTwice(path, one + eachElement, other + eachElement)
}

/** What to do about two sources of one member. */
export const remedyFor = (path: string): string =>
  path.startsWith('addresses.')
    ? `Map one of them to ${path.replace(/^addresses\.[^.]+/, 'addresses.+')}, as the other members of its address: ` +
      'then its addresses have places of their own.'
    : "Two columns can fill one field with the transform 'first' or 'join:SEPARATOR'; or name one in leftOut."

export const claimedTwice = (path: string, column: string, other: string): InputError =>
  new InputError(`'${path}' is the target of both '${column}' and '${other}'.`, {
    remedy: isAppended(path)
      ? `Both are of one source. Number their addresses instead, such as ${path.replace('+', '0')}.`
      : remedyFor(path),
  })

/** Every column that the map reads for a member. */
export const namedColumns = (map: CompiledMapping): ReadonlySet<string> =>
  new Set([...map.columns.keys(), ...map.records.keys(), ...map.defaults.flatMap(({sources}) => sources)])

/** Throws InputError for a column with `*` whose values would all go to one place. */
export function checkElements(map: CompiledMapping, isOneColumn: (column: string) => boolean): void {
  for (const {column, target} of [...map.columns.values()].flat()) {
    const stars = column.split(eachElement).length - 1
    if (stars === 0 || isOneColumn(column)) continue
    if (stars > 1) throw new InputError(`'${column}' names lists within a list, which are not read.`, {column})
    if (target.segments.includes(eachElement)) continue
    throw new InputError(`'${column}' stands for several values, and '${target.path}' is one place.`, {
      column,
      remedy: "Add the transform 'first' or 'join:SEPARATOR', or a target with * such as addresses.*.city.",
    })
  }
}

/** The same place in the element with a number. */
export const inElement = (target: Target, at: number): Target => ({
  ...target,
  path: target.path.replace(eachElement, `${at}`),
  segments: target.segments.with(target.segments.indexOf(eachElement), at),
})

/** The name that a map by path has for a path with indices. */
export const namedBy = (names: ReadonlyMap<string, string>, path: string): string =>
  names.get(path) ?? names.get(starred(path)) ?? path

const maxRecords = 500

/** The reader of a column's cells. Throws InputError for members that no address has. */
function recordCell(
  column: string,
  {target, separator = '|', members}: NonNullable<Mapping['records']>[string],
  pipeOf: (target: Target) => ValuePipe,
) {
  const assignments = new Map(
    Object.entries(members).map(([name, member]) => {
      if (member === '') return [name, undefined]
      const place = checkedTarget(`${target}.${eachElement}.${member}`, 'records')
      return [name, {column, target: {...place, segments: place.segments.slice(2)}, pipe: pipeOf(place)}]
    }),
  )
  if (assignments.size === 0) throw new InputError(`The records of '${column}' have no members.`)
  return {
    members: [...assignments.values()].filter((assignment) => assignment !== undefined),
    /** The addresses of a cell; what is wrong with it, and names that the map does not know, are added to the lists. */
    read(text: string, row: Noted, ignored: Set<string>): readonly object[] {
      const tell = (message: string): number => row.issues.push({column, code: 'InvalidField', message})
      const pieces = text.split(separator).filter((piece) => piece.trim() !== '')
      if (pieces.length > maxRecords) {
        tell(`The cell has more than ${maxRecords} records.`)
        return []
      }
      const addresses = pieces.map((piece) => {
        const found = membersOf(piece)
        if (!found)
          tell(`'${short(piece)}' is not of the form '${[...assignments.keys()].slice(0, 2).join(': …, ')}: …'.`)
        const address = {}
        for (const [name, value] of found ?? []) {
          if (!assignments.has(name)) ignored.add(`${column} › ${name}`)
          const assignment = assignments.get(name)
          const piped = assignment && value !== '' ? passed(row, assignment, value) : undefined
          if (assignment && piped?.value !== undefined) withValue(address, assignment.target.segments, piped.value)
        }
        return address
      })
      return addresses.filter((address) => Object.keys(address).length > 0)
    },
  }
}

/** Any name before a colon starts a member. Bounded, so that no text makes the search go back and forth. */
const start = /(?:^|[,;\n])[ \t]{0,3}(\p{L}[\p{L}\p{N} /_.()#&-]{0,60}?)[ \t]{0,3}:(?!\/\/)/gu

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

function membersOf(text: string): readonly (readonly [string, string])[] | undefined {
  const found = [...text.trim().matchAll(start)]
  if (found[0]?.index !== 0) return undefined
  return found.map((match, at) => {
    const value = text.trim().slice(match.index + match[0].length, found[at + 1]?.index)
    return [match[1] ?? '', value.trim()]
  })
}
