import {type Report, summaryOf} from './report.js'
import {visible} from './visible.js'

/** Spelled-out control characters come after the percent signs, so that neither escape is escaped again. */
const message = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .split(/\r?\n|\r/)
    .map(visible)
    .join('%0A')

const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
export const githubReport = (report: Report): string => {
  const findings = report.findings.map(
    ({severity, path, line, column, ruleId, message: text}) =>
      `::${severity} file=${property(path)},line=${line},col=${column},title=${property(ruleId)}::${message(text)}`,
  )
  const notes = report.notes.map(({path, line, message: text}) => {
    const place = line === undefined ? '' : `,line=${line}`
    return `::notice file=${property(path)}${place}::${message(text)}`
  })
  return `${[...findings, ...notes, message(summaryOf(report))].join('\n')}\n`
}
