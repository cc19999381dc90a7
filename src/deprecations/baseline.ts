import type {Finding} from './check/finding.js'

/** Findings that a team knows of and does not want to hear about again: how many of each, by fingerprint. */
type Baseline = ReadonlyMap<string, number>

/** A text that is no baseline file. */
export class BaselineTrouble extends Error {
  constructor(message: string) {
    super(`not a baseline: ${message}`)
    this.name = 'BaselineTrouble'
  }
}

interface Row {
  readonly fingerprint: string
  readonly ruleId: string
  readonly path: string
  readonly count: number
}

/** The file that keeps findings as known. Rule and path are for readers of the file; the fingerprint decides. */
export const baselineText = (findings: readonly Finding[]): string => {
  const rows = new Map<string, Row>()
  for (const {fingerprint, ruleId, path} of findings) {
    const count = (rows.get(fingerprint)?.count ?? 0) + 1
    rows.set(fingerprint, {fingerprint, ruleId, path, count})
  }
  const known = [...rows.values()].sort((a, b) => (`${a.path}\0${a.ruleId}` < `${b.path}\0${b.ruleId}` ? -1 : 1))
  return `${JSON.stringify({version: 1, known}, undefined, 2)}\n`
}

const isRow = (row: unknown): row is Row =>
  typeof row === 'object' &&
  row !== null &&
  'fingerprint' in row &&
  typeof row.fingerprint === 'string' &&
  'count' in row &&
  typeof row.count === 'number' &&
  Number.isSafeInteger(row.count) &&
  row.count > 0

/** Throws BaselineTrouble for what baselineText did not write. */
export const readBaseline = (text: string): Baseline => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw new BaselineTrouble('it is not JSON')
  }
  if (typeof document !== 'object' || document === null || !('known' in document) || !Array.isArray(document.known)) {
    throw new BaselineTrouble("it has no list 'known'")
  }
  if (!('version' in document) || document.version !== 1) throw new BaselineTrouble('its version is not 1')
  const rows: readonly unknown[] = document.known
  const bad = rows.findIndex((row) => !isRow(row))
  if (bad !== -1) throw new BaselineTrouble(`known[${bad}] lacks fingerprint or count`)
  return new Map(rows.filter(isRow).map(({fingerprint, count}) => [fingerprint, count]))
}

/** Keeps what a baseline does not know; `known` counts what it let pass, `gone` what it knows and nobody found any more. */
export const withoutKnown = (
  findings: readonly Finding[],
  baseline: Baseline,
): {readonly findings: readonly Finding[]; readonly known: number; readonly gone: number} => {
  const left = new Map(baseline)
  const fresh = findings.filter(({fingerprint}) => {
    const count = left.get(fingerprint) ?? 0
    if (count > 0) left.set(fingerprint, count - 1)
    return count === 0
  })
  const gone = [...left.values()].reduce((sum, count) => sum + count, 0)
  return {findings: fresh, known: findings.length - fresh.length, gone}
}
