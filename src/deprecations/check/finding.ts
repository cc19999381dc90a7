import {createHash} from 'node:crypto'
import type {Deprecation} from '../catalogue/entry.js'
import {deprecationDayOf, removalDayOf, statusOf} from '../dates.js'
import type {Hit} from './rules.js'
import {lastUpTo} from './tree.js'

/** Removed features are errors, deprecated ones warnings. */
export type Severity = 'error' | 'warning'

/** One use of something deprecated or removed. Line and column count from 1, columns in UTF-16 units. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly ruleId: string
  readonly severity: Severity
  /** The text that matched. */
  readonly found: string
  readonly item: string
  readonly alternative: string
  /** The day of the removal, or else of the deprecation; null where the interface has none. */
  readonly date: string | null
  readonly message: string
  /** Stays the same when lines are added above: rule, file and the line's own text. */
  readonly fingerprint: string
}

/** Something to know about the check of a file that is no finding. */
export interface Note {
  readonly path: string
  readonly line?: number
  readonly message: string
  /** Whether the file could not be read as what it is, so that nothing in it was checked. */
  readonly isUnread?: true
}

const happened = (entry: Deprecation, isRemoved: boolean): string => {
  const {dates} = entry
  const start = deprecationDayOf(entry)
  if (!isRemoved) return start === undefined ? 'deprecated (not dated)' : `deprecated since ${start}`
  const word = (['removed', 'replaced', 'migrated', 'performed', 'effective'] as const).find((name) => dates[name])
  const verb = word === 'performed' || word === 'effective' ? 'changed' : (word ?? 'removed')
  return removalDayOf(entry) === undefined ? `${verb} (not dated)` : `${verb} on ${removalDayOf(entry)}`
}

/** The finding of a hit, or nothing where that was not deprecated yet on the day in question. */
export const findingOf = (hit: Hit, path: string, lines: Lines, asOf?: string): Finding | undefined => {
  const {entry, found} = hit
  const status = statusOf(entry, asOf)
  if (status === 'upcoming' || status === 'unknown') return undefined
  const isRemoved = status === 'removed'
  const {line, column} = lines.positionOf(hit.offset)
  const alternative = (hit.instead ?? entry.alternative).replaceAll('`', '')
  const item = entry.item.replaceAll('`', '')
  const text = lines.textOf(line).trim()
  return {
    path,
    line,
    column,
    ruleId: entry.id,
    severity: isRemoved ? 'error' : 'warning',
    found,
    item,
    alternative,
    date: (isRemoved ? removalDayOf(entry) : deprecationDayOf(entry)) ?? null,
    message: `${found}: ${item} (${entry.area}), ${happened(entry, isRemoved)}. Alternative: ${alternative}.`,
    fingerprint: createHash('sha256').update(`${entry.id}\0${path}\0${text}`).digest('hex').slice(0, 16),
  }
}

/** What a run ends with, in the order in which it is to be shown. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  /** What was checked: files, and in all inputs together the requests, bodies, lines and documents. */
  readonly read: {readonly files: number; readonly entries: number}
}

export const countOf = ({findings}: Report, severity: Severity): number =>
  findings.filter((finding) => finding.severity === severity).length

/** The lines of a text, to tell where an offset is. */
export type Lines = ReturnType<typeof linesOf>

const longestLine = 10_000

export const linesOf = (text: string) => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    positionOf: (offset: number) => {
      const at = lastUpTo(starts.length, (line) => starts[line], offset)
      return {line: at + 1, column: offset - (starts[at] ?? 0) + 1}
    },
    /** The text of a line (from 1), without its end; long lines are cut. */
    textOf: (line: number) => {
      const start = starts[line - 1] ?? 0
      const end = (starts[line] ?? text.length + 1) - 1
      return text.slice(start, Math.min(end, start + longestLine)).replace(/\r$/, '')
    },
  }
}
