import type {Cause, CauseMembers, OpenAliases} from '../../transfer/check/causes.js'
import type {Place} from '../../transfer/input/row.js'
import {oneLine} from '../process/sanitize.js'

const shownCauses = 20

/** The position of a row, for people: with its file if there are several, and the customer instead in a copy. */
export const positionText = ({file, line, customer}: Place, fileCount: number): string =>
  `${fileCount > 1 ? `${file}, ` : ''}${customer ?? `line ${line}`}`

/** What rows failed of, or will: one line for each cause, and the aliases that a map file lacks, ready to be pasted. */
export function causeLines({causes = [], moreCauses = 0, aliases = {}}: CauseMembers, fileCount: number): string[] {
  const left = Math.max(0, causes.length - shownCauses) + moreCauses
  return [
    ...causes.slice(0, shownCauses).map((cause) => causeLine(cause, fileCount)),
    ...(left > 0 ? [`and ${left} more ${left === 1 ? 'cause' : 'causes'} (--json shows them)`] : []),
    ...aliasLines(aliases),
  ].map(oneLine)
}

/** One cause in one line. */
export function causeLine({rows, first, column, message, example, fix}: Cause, fileCount: number): string {
  const text = `${column === undefined ? '' : `${column}: `}${message}`
  const such = example === undefined ? '' : ` The first: ${example}`
  return `${placesText(rows, first, fileCount)}${column === undefined ? ': ' : ', '}${text}${such}${fix === undefined ? '' : ` ${fix}`}`
}

/** `line 3`, or `12 rows (lines 3, 4, 5, …)`; with the name of the file if there are several. */
function placesText(rows: number, first: Cause['first'], fileCount: number): string {
  const isLine = fileCount === 1 && first.every(({customer}) => customer === undefined)
  const places = first.map((place) => (isLine ? `${place.line}` : positionText(place, fileCount)))
  if (rows === 1) return isLine ? `line ${places.join()}` : places.join()
  const more = rows > first.length ? [...places, '…'] : places
  return `${rows} rows (${isLine ? `lines ${more.join(', ')}` : more.join('; ')})`
}

/** A line for each name: a terminal that breaks long lines would cut a text in two. */
function aliasLines(aliases: OpenAliases): string[] {
  if (Object.keys(aliases).length === 0) return []
  return [
    'for the map file (--map-file), with the values filled in:',
    ...JSON.stringify({aliases}, null, 2).split('\n'),
  ]
}
