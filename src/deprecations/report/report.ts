import type {Finding, Note, Severity} from '../findings/finding.js'

/** What a run ends with, in the order in which it is to be shown. */
export interface Report {
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  /** Findings that a baseline let pass. */
  readonly known?: number
  /** Entries of a baseline that nothing fits any more. */
  readonly gone?: number
}

export const countOf = ({findings}: Report, severity: Severity): number =>
  findings.filter((finding) => finding.severity === severity).length

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** The end of every report that people read. */
export const summaryOf = (report: Report): string => {
  const {findings, known = 0, gone = 0} = report
  const uses =
    findings.length === 0
      ? 'no deprecated use found'
      : `${counted(findings.length, 'deprecated use')} found: ` +
        `${counted(countOf(report, 'error'), 'error')} (removed), ${counted(countOf(report, 'warning'), 'warning')}`
  const passed = known > 0 ? `; ${known} more in the baseline` : ''
  const stale = gone > 0 ? `; ${counted(gone, 'baseline entry').replace('entrys', 'entries')} no longer found` : ''
  return uses + passed + stale
}
