import {InputError} from '../input/input-error.js'
import type {Assignment} from './assignment.js'
import {eachElement} from './draft-shape.js'
import {checkedTarget, type Mapping, type RecordsRule} from './mapping.js'
import {withValue} from './paths.js'
import type {ValuePipe} from './value-pipe.js'

/** The addresses of a cell, and what is wrong with it. */
export interface ReadRecords {
  readonly addresses: readonly object[]
  readonly problems: readonly string[]
}

/** Reads a cell that holds several records, such as `City: Bonn, Zip: 53111|City: Ulm`. */
export interface RecordCell {
  readonly members: readonly Assignment[]
  read(text: string): ReadRecords
}

const maxRecords = 500

/** The readers of a mapping's cells, by column. Throws InputError for members that no address has. */
export function recordCellsOf(
  {records = {}}: Mapping,
  pipeOf: (target: Assignment['target']) => ValuePipe,
): ReadonlyMap<string, RecordCell> {
  return new Map(Object.entries(records).map(([column, rule]) => [column, recordCell(column, rule, pipeOf)]))
}

function recordCell(
  column: string,
  {target, separator = '|', members}: RecordsRule,
  pipeOf: (target: Assignment['target']) => ValuePipe,
): RecordCell {
  const assignments = new Map(
    Object.entries(members).map(([name, member]) => {
      if (member === '') return [name, undefined]
      const place = checkedTarget(`${target}.${eachElement}.${member}`, 'records')
      return [name, {column, target: {...place, segments: place.segments.slice(2)}, pipe: pipeOf(place)}]
    }),
  )
  if (assignments.size === 0) throw new InputError(`The records of '${column}' have no members.`)
  const names = [...assignments.keys()].toSorted((one, other) => other.length - one.length)
  // Bounded blanks, so that no text makes the search go back and forth.
  const start = new RegExp(`(?:^|[,;\\n])[ \\t]{0,3}(${names.map(literal).join('|')})[ \\t]{0,3}:`, 'g')
  return {
    members: [...assignments.values()].filter((assignment) => assignment !== undefined),
    read(text) {
      const problems: string[] = []
      const pieces = text.split(separator).filter((piece) => piece.trim() !== '')
      if (pieces.length > maxRecords)
        return {addresses: [], problems: [`The cell has more than ${maxRecords} records.`]}
      const addresses = pieces.map((piece) => {
        const found = membersOf(piece, start)
        if (!found)
          problems.push(
            `'${short(piece)}' is not of the form '${[...assignments.keys()].slice(0, 2).join(': …, ')}: …'.`,
          )
        const address = {}
        for (const [name, value] of found ?? []) {
          const assignment = assignments.get(name)
          const piped = assignment && value !== '' ? assignment.pipe(value) : {value: undefined}
          if ('problem' in piped) problems.push(piped.problem)
          else if (assignment && piped.value !== undefined) withValue(address, assignment.target.segments, piped.value)
        }
        return address
      })
      return {addresses: addresses.filter((address) => Object.keys(address).length > 0), problems}
    },
  }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Names and values of one record; nothing if it does not begin with a name. */
function membersOf(text: string, start: RegExp): readonly (readonly [string, string])[] | undefined {
  const found = [...text.trim().matchAll(start)]
  if (found[0]?.index !== 0) return undefined
  return found.map((match, at) => {
    const value = text.trim().slice(match.index + match[0].length, found[at + 1]?.index)
    return [match[1] ?? '', value.trim()]
  })
}
