import {type Report, summaryOf} from './report.js'
import {visible} from './visible.js'

/** For people: findings under their file, then notes and a summary. */
export const textReport = (report: Report): string => {
  const {findings, notes} = report
  const lines: string[] = []
  let path: string | undefined
  for (const finding of findings) {
    if (finding.path !== path) {
      if (path !== undefined) lines.push('')
      path = finding.path
      lines.push(visible(path))
    }
    const place = `${finding.line}:${finding.column}`.padEnd(8)
    lines.push(`  ${place} ${finding.severity.padEnd(7)}  ${visible(finding.message)}  ${finding.ruleId}`)
  }
  if (findings.length > 0) lines.push('')
  for (const note of notes) {
    const place = note.line === undefined ? note.path : `${note.path}:${note.line}`
    lines.push(`note: ${visible(place)}: ${visible(note.message)}`)
  }
  return `${[...lines, summaryOf(report)].join('\n')}\n`
}
