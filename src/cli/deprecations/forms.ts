import type {Deprecation} from '../../deprecations/catalogue/entry.js'
import {catalogue} from '../../deprecations/catalogue/index.js'
import {countOf, type Finding, type Report} from '../../deprecations/check/finding.js'
import {statusOf} from '../../deprecations/dates.js'
import {githubMessage, githubProperty, junitXml, xml} from '../output/ci-text.js'
import {counted, jsonText, oneLine} from '../process/sanitize.js'

const ruleOf = (entry: Deprecation) => ({
  id: entry.id,
  shortDescription: {text: `${entry.area}: ${entry.item}`},
  fullDescription: {text: `${entry.item} (${entry.area}). Alternative: ${entry.alternative}.`},
  help: {text: `Alternative: ${entry.alternative}. Source: ${entry.source}.`},
  defaultConfiguration: {level: statusOf(entry) === 'removed' ? 'error' : 'warning'},
  properties: {kind: entry.kind, area: entry.area, ...entry.dates},
})

/** A path as a URI reference, absolute paths as file URIs. */
const uriOf = (path: string): string => {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? `file://${encoded}` : encoded
}

const resultOf = (finding: Finding, ruleIndex: number) => ({
  ruleId: finding.ruleId,
  ruleIndex,
  level: finding.severity,
  message: {text: finding.message},
  locations: [
    {
      physicalLocation: {
        artifactLocation: {uri: uriOf(finding.path.toWellFormed())},
        region: {startLine: finding.line, startColumn: finding.column},
      },
    },
  ],
  partialFingerprints: {'frontdesk/v1': finding.fingerprint},
})

/** SARIF 2.1.0, with the rules that something was found by. */
const sarifReport = ({findings, notes}: Report, version: string): string => {
  const used = new Set(findings.map(({ruleId}) => ruleId))
  const entries = catalogue.filter(({id}) => used.has(id))
  const indices = new Map(entries.map(({id}, index) => [id, index]))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {driver: {name: 'frontdesk deprecations', version, rules: entries.map(ruleOf)}},
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, indices.get(finding.ruleId) ?? -1)),
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map(({path, line, message}) => ({
              level: 'note',
              message: {text: message},
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: {uri: uriOf(path.toWellFormed())},
                    ...(line === undefined ? {} : {region: {startLine: line}}),
                  },
                },
              ],
            })),
          },
        ],
      },
    ],
  }
  return `${jsonText(log, 2)}\n`
}

const summaryOf = (report: Report): string => {
  const {findings, read} = report
  const {files, entries} = read
  const inputs = [
    ...(files > 0 ? [counted(files, 'file')] : []),
    ...(entries === files ? [] : [counted(entries, 'entry', 'entries')]),
  ]
  const kinds = `${counted(countOf(report, 'error'), 'error')} (removed), ${counted(countOf(report, 'warning'), 'warning')}`
  const found = counted(findings.length, 'finding')
  return `${inputs.join(' with ')} read, ${found}${findings.length === 0 ? '' : `: ${kinds}`}`
}

const placeOf = ({path, line}: Report['notes'][number]): string => (line === undefined ? path : `${path}:${line}`)

const textReport = (report: Report): string => {
  const {findings, notes} = report
  const lines: string[] = []
  let path: string | undefined
  for (const finding of findings) {
    if (finding.path !== path) {
      if (path !== undefined) lines.push('')
      path = finding.path
      lines.push(oneLine(path))
    }
    const place = `${finding.line}:${finding.column}`.padEnd(8)
    lines.push(`  ${place} ${finding.severity.padEnd(7)}  ${oneLine(finding.message)}  ${finding.ruleId}`)
  }
  if (findings.length > 0) lines.push('')
  for (const note of notes) {
    lines.push(`note: ${oneLine(placeOf(note))}: ${oneLine(note.message)}`)
  }
  return `${[...lines, summaryOf(report)].join('\n')}\n`
}

const jsonReport = (report: Report): string => {
  const {findings: results, notes, read} = report
  const counts = {errors: countOf(report, 'error'), warnings: countOf(report, 'warning')}
  return `${jsonText({count: results.length, ...counts, read, results, notes}, 2)}\n`
}

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
const githubReport = (report: Report): string => {
  const findings = report.findings.map(
    ({severity, path, line, column, ruleId, message}) =>
      `::${severity} file=${githubProperty(path)},line=${line},col=${column},title=${githubProperty(ruleId)}::${githubMessage(message)}`,
  )
  const notes = report.notes.map(({path, line, message}) => {
    const place = line === undefined ? '' : `,line=${line}`
    return `::notice file=${githubProperty(path)}${place}::${githubMessage(message)}`
  })
  return `${[...findings, ...notes, githubMessage(summaryOf(report))].join('\n')}\n`
}

const caseOf = ({path, line, column, ruleId, severity, message}: Finding): string =>
  [
    `    <testcase classname="${xml(path)}" name="${xml(`${ruleId} at ${line}:${column}`)}" file="${xml(path)}" line="${line}">`,
    `      <failure type="${severity}" message="${xml(message)}">${xml(`${path}:${line}:${column}: ${message}`)}</failure>`,
    '    </testcase>',
  ].join('\n')

/** JUnit XML: a failed test case for each finding; a passed one where nothing was found, as some readers want a case. */
const junitReport = ({findings, notes}: Report): string => {
  const cases =
    findings.length === 0 ? ['    <testcase classname="deprecations" name="no deprecated use"/>'] : findings.map(caseOf)
  const said = notes.map((note) => xml(`${placeOf(note)}: ${note.message}`))
  const out = said.length === 0 ? [] : [`    <system-out>${said.join('&#10;')}</system-out>`]
  const counts = {tests: cases.length, failures: findings.length, errors: 0}
  return junitXml('deprecations', counts, [...cases, ...out])
}

const forms = {
  text: textReport,
  json: jsonReport,
  sarif: sarifReport,
  github: githubReport,
  junit: junitReport,
} as const

export type Format = keyof typeof forms
export const formats = Object.keys(forms) as Format[]

/** A report in one of its forms, complete with its last newline. `version` is frontdesk's own. */
export const reportText = (report: Report, format: Format, version: string): string => forms[format](report, version)
