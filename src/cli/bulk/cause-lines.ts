import type {Cause, CauseMembers, OpenAliases} from '../../transfer/check/causes.js'
import type {CountedRows} from '../../transfer/check/coverage.js'
import type {Place} from '../../transfer/input/row.js'
import type {JoinCounts} from '../../transfer/mapping/mapper.js'
import {counted, oneLine} from '../process/sanitize.js'

const shownCauses = 20

/** The position of a row, for people: with its file if there are several, and what names it where a line does not. */
export const positionText = ({file, line, by, customer}: Place, fileCount: number): string =>
  `${fileCount > 1 ? `${file}, ` : ''}${customer ?? `${by ?? 'line'} ${line}`}`

/** What rows failed of, or will: one line for each cause, and the aliases that a map file lacks, ready to be pasted. */
export function causeLines({causes = [], moreCauses = 0, aliases = {}}: CauseMembers, fileCount: number): string[] {
  const left = Math.max(0, causes.length - shownCauses) + moreCauses
  return [
    ...causes.slice(0, shownCauses).map((cause) => causeLine(cause, fileCount)),
    ...(left > 0 ? [`and ${left} more ${left === 1 ? 'cause' : 'causes'} (--json shows them)`] : []),
    ...aliasLines(aliases),
  ].map(oneLine)
}

/** `line 2`, or `line 2 (and 3, 5, …)`; `row 2` where the file is one line. */
export function linesText(rows: number, [first, ...others]: readonly number[], by = 'line'): string {
  const more = rows > others.length + 1 ? [...others, '…'] : others
  return more.length === 0 ? `${by} ${first}` : `${by} ${first} (and ${more.join(', ')})`
}

/** Rows that `--on-duplicate` leaves out. */
export const duplicatesText = ({file, rows, lines, by}: CountedRows): string =>
  `${file}: ${counted(rows, 'row is', 'rows are')} about the customer of another row, which counts instead, first on ${linesText(rows, lines, by)}`

/** How a joined file met the customers. */
export function joinedText({file, rows, joined, lines, by, ...counts}: JoinCounts): string {
  const {customers, customersJoined, shared, withoutValue} = counts
  const parts = [
    `${joined} of ${counted(rows, 'row belongs', 'rows belong')} to ${customersJoined} of ${counted(customers, 'customer')}`,
    ...(lines.length > 0 ? [`the first that belongs to nobody is on ${linesText(rows - joined, lines, by)}`] : []),
    ...(shared > 0
      ? [`${counted(shared, 'value is', 'values are')} of several customers, who each get its addresses`]
      : []),
    ...(withoutValue > 0
      ? [`${counted(withoutValue, 'blank or placeholder is', 'blanks and placeholders are')} joined to nothing`]
      : []),
  ]
  return `${file}: ${parts.join('; ')}`
}

const mostAddresses = 3

/** Members of a customer in one line. Addresses by their places are too many names. */
export function membersText(members: readonly string[]): string {
  const isAddress = (name: string): boolean => /^addresses\.\d+$/.test(name)
  const addresses = members.filter(isAddress).length
  if (addresses <= mostAddresses) return members.join(', ')
  return [...members.filter((name) => !isAddress(name)), `${addresses} addresses`].join(', ')
}

export const namesText = (names: readonly string[]): string =>
  names.length > shownCauses
    ? `${names.slice(0, shownCauses).join(', ')} and ${names.length - shownCauses} more (--json shows them)`
    : names.join(', ')

export function causeLine({rows, first, column, message, example, fix}: Cause, fileCount: number): string {
  const text = `${column === undefined ? '' : `${column}: `}${message}`
  const places = positionsText(rows, first, fileCount)
  const where = rows === 1 ? places : `${rows} rows (${places})`
  const such = example === undefined ? '' : ` The first: ${example}`
  return `${where}${column === undefined ? ': ' : ', '}${text}${such}${fix === undefined ? '' : ` ${fix}`}`
}

/** The positions of the first of so many rows: `lines 3, 4, …`, or each by its name. */
export function positionsText(rows: number, first: Cause['first'], fileCount: number): string {
  const areLines =
    first.length > 1 && fileCount === 1 && first.every(({customer, by}) => (customer ?? by) === undefined)
  const places = first.map((place) => (areLines ? `${place.line}` : positionText(place, fileCount)))
  const all = rows > first.length ? [...places, '…'] : places
  return areLines ? `lines ${all.join(', ')}` : all.join('; ')
}

/** A line for each name: a terminal that breaks long lines would cut a text in two. */
function aliasLines(aliases: OpenAliases): string[] {
  if (Object.keys(aliases).length === 0) return []
  return [
    'add to the map file (--map-file), with the values filled in:',
    ...JSON.stringify({aliases}, null, 2).split('\n'),
  ]
}
