import {exactJson} from './json-hygiene.js'

/** A day of the calendar without a time or a zone, such as `1990-05-07`. */
export class Day {
  readonly iso: string

  constructor(iso: string) {
    this.iso = iso
  }
}

/**
 * A value between a file and a field: text, number, boolean, day or moment (a `Date`). An absent value is `undefined`.
 * The field decides which text it becomes.
 */
export type Cell = string | number | boolean | Day | Date

/** A cell as text: numbers in digits without exponent or grouping, days and moments as ISO 8601. */
export function textOfCell(cell: Cell): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return digitsOf(cell)
  if (cell instanceof Day) return cell.iso
  return cell instanceof Date ? cell.toISOString() : String(cell)
}

function digitsOf(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toLocaleString('en-US', {useGrouping: false, maximumFractionDigits: 20}) : text
}

/** A value of a row as a cell; objects, lists and null are none. */
export const asCell = (value: unknown): Cell | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || isTyped(value)
    ? value
    : undefined

const isTyped = (value: unknown): value is Day | Date => value instanceof Day || value instanceof Date

export const isBlank = (cell: Cell | undefined): boolean =>
  cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** What keeps a spreadsheet from reading a text as a number or a formula: `="02138"`, or an apostrophe before it. */
const guards = /^="((?:[^"]|"")*)"$|^'([\d+=@-][^']*)$/
/** A whole number that a program has written as a decimal. */
const decimal = /^(\d+)\.0+$/

/** The text of a cell of a table without guards; that of a number, phone or postal code (`isCode`) without its `.0` as well. */
export function withoutGuard(text: string, isCode: boolean): string {
  const [, formula, plain] = guards.exec(text) ?? []
  const bare = formula?.replaceAll('""', '"') ?? plain ?? text
  return isCode ? bare.replace(decimal, '$1') : bare
}

export function jsonOrText(text: string): unknown {
  // Cheap to see, and most texts are texts.
  if (!/^\s*([{["\d-]|true|false|null)/.test(text)) return text
  try {
    return exactJson(text)
  } catch {
    return text
  }
}
