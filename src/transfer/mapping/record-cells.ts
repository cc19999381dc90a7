import {InputError} from '../files/input-error.js'
import {checkedTarget, eachElement, type Target} from './draft-shape.js'
import type {Mapping} from './mapping.js'
import {withValue} from './paths.js'
import {type Noted, passed} from './value-notes.js'
import type {Assignment, ValuePipe} from './value-pipe.js'

export interface RecordCell {
  readonly members: readonly Assignment[]
  /** The addresses of a cell; what is wrong with it, and names that the map does not know, are added to the lists. */
  read(text: string, row: Noted, ignored: Set<string>): readonly object[]
}

const maxRecords = 500

/** The reader of a column's cells. Throws InputError for members that no address has. */
export function recordCell(
  column: string,
  {target, separator = '|', members}: NonNullable<Mapping['records']>[string],
  pipeOf: (target: Target) => ValuePipe,
): RecordCell {
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
    read(text, row, ignored) {
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
