import type {Finding} from '../findings/finding.js'
import type {Report} from './report.js'
import {visible} from './visible.js'

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
])

const xml = (text: string): string => visible(text).replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? '')

const caseOf = ({path, line, column, ruleId, severity, message}: Finding): string =>
  [
    `    <testcase classname="${xml(path)}" name="${xml(`${ruleId} at ${line}:${column}`)}" file="${xml(path)}" line="${line}">`,
    `      <failure type="${severity}" message="${xml(message)}">${xml(`${path}:${line}:${column}: ${message}`)}</failure>`,
    '    </testcase>',
  ].join('\n')

/** JUnit XML: a failed test case for each finding; a passed one where nothing was found, as some readers want a case. */
export const junitReport = ({findings, notes}: Report): string => {
  const cases =
    findings.length === 0 ? ['    <testcase classname="deprecations" name="no deprecated use"/>'] : findings.map(caseOf)
  const said = notes.map(({path, line, message}) => xml(`${path}${line === undefined ? '' : `:${line}`}: ${message}`))
  const out = said.length === 0 ? [] : [`    <system-out>${said.join('&#10;')}</system-out>`]
  const counts = `tests="${cases.length}" failures="${findings.length}" errors="0"`
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="deprecations" ${counts}>`,
    ...cases,
    ...out,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')}\n`
}
