import type {Deprecation} from '../../deprecations/catalogue/entry.js'
import {catalogue} from '../../deprecations/catalogue/index.js'
import type {Finding, Report} from '../../deprecations/check/finding.js'
import {statusOf} from '../../deprecations/dates.js'
import {jsonText} from '../process/sanitize.js'

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
export const sarifReport = ({findings, notes}: Report, version: string): string => {
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
