import {githubMessage, githubProperty, junitXml, xml} from '../output/ci-text.js'
import {jsonText, oneLine} from '../process/sanitize.js'
import {targetText} from '../target/subject.js'
import type {Outcome, Summary} from './runner.js'

/** The same outcomes for people, programs, and the displays of CI services. Names and reasons come from anywhere. */

const marks = {passed: 'ok  ', failed: 'FAIL', error: 'ERR ', skipped: 'skip'} as const

const duration = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds)} ms`

export const countsOf = ({passed, failed, errors, skipped}: Summary): string =>
  [
    `${passed} passed`,
    `${failed} failed`,
    ...(errors === 0 ? [] : [`${errors} without an answer`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ].join(', ')

/** `target: staging (shop) at https://api.example` */
const targetLine = ({target}: Summary): string =>
  oneLine(`target: ${targetText(target)}${target.profile === undefined ? '' : ` at ${target.address}`}`)

function text(summary: Summary): string {
  const lines = summary.checks.flatMap(({name, result, durationMs, detail, failures}) => {
    const time = durationMs === 0 ? '' : `  (${duration(durationMs)})`
    const said = detail === undefined ? '' : `  ${oneLine(detail)}`
    return [`${marks[result]}  ${oneLine(name)}${said}${time}`, ...failures.map((why) => `      ${oneLine(why)}`)]
  })
  return `${[targetLine(summary), ...lines, `${oneLine(summary.suite)}: ${countsOf(summary)}`].join('\n')}\n`
}

const json = (summary: Summary): string => `${jsonText(summary, 2)}\n`

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

function junitCase(suite: string, {name, result, durationMs, failures}: Outcome): string {
  const open = `    <testcase classname="${xml(suite)}" name="${xml(name)}" time="${seconds(durationMs)}"`
  const why = failures.join(' ')
  switch (result) {
    case 'passed':
      return `${open}/>`
    case 'skipped':
      return `${open}><skipped/></testcase>`
    case 'failed':
      return `${open}><failure message="${xml(why)}"/></testcase>`
    case 'error':
      return `${open}><error message="${xml(why)}"/></testcase>`
  }
}

function junit(summary: Summary): string {
  const {suite, target, checks, failed: failures, errors, skipped, durationMs} = summary
  const counts = {tests: checks.length, failures, errors, skipped, time: seconds(durationMs)}
  const properties = Object.entries(target).map(
    ([name, value]) => `      <property name="${xml(name)}" value="${xml(value)}"/>`,
  )
  return junitXml(suite, counts, [
    '    <properties>',
    ...properties,
    '    </properties>',
    ...checks.map((check) => junitCase(suite, check)),
  ])
}

/** TAP 14: a hash in a description would begin a directive. */
const tapText = (raw: string): string => oneLine(raw).replaceAll('\\', '\\\\').replaceAll('#', '\\#')

function tap(summary: Summary): string {
  const {checks} = summary
  const lines = checks.flatMap(({name, result, failures}, at) => {
    const verdict = result === 'passed' || result === 'skipped' ? 'ok' : 'not ok'
    const directive = result === 'skipped' ? ' # SKIP' : ''
    const reasons = failures.map((why) => `    - ${jsonText(oneLine(why))}`)
    return [
      `${verdict} ${at + 1} - ${tapText(name)}${directive}`,
      ...(reasons.length === 0 ? [] : ['  ---', '  failures:', ...reasons, '  ...']),
    ]
  })
  return `${['TAP version 14', `# ${targetLine(summary)}`, `1..${checks.length}`, ...lines].join('\n')}\n`
}

/** Workflow commands, which GitHub shows on the page of the run. */
function github(summary: Summary): string {
  const wrong = summary.checks.filter(({result}) => result === 'failed' || result === 'error')
  const lines = wrong.map(
    ({name, failures}) =>
      `::error title=${githubProperty(name)}::${githubMessage(failures.join(' ') || 'It is false.')}`,
  )
  return `${[githubMessage(targetLine(summary)), ...lines, `${githubMessage(summary.suite)}: ${githubMessage(countsOf(summary))}`].join('\n')}\n`
}

export const reporters = {text, json, junit, tap, github} as const
export type Reporter = keyof typeof reporters
export const reporterNames = Object.keys(reporters) as Reporter[]
