import type {Finding, Report} from '../../deprecations/check/finding.js'
import {type Html, html, nothing} from '../output/html.js'
import {note, numberText, pageText, section} from '../output/html-page.js'

const [maxGroups, maxPlaces] = [200, 50]

/** Uses of what is deprecated or removed, grouped by what is used. */
export function deprecationsPage(report: Report, command: string, madeAt: number): string {
  const {findings, notes, known, gone} = report
  const groups = grouped(findings)
  const removed = findings.filter(({severity}) => severity === 'error').length
  return pageText({
    title: 'Deprecated API features in use',
    state:
      findings.length === 0
        ? {text: 'None found', tone: 'good'}
        : {
            text: removed > 0 ? `${numberText(removed)} removed features` : 'Deprecated only',
            tone: removed > 0 ? 'bad' : 'warn',
          },
    lead: `${numberText(findings.length)} uses of ${numberText(groups.size)} features`,
    madeAt,
    counts: [
      {name: 'removed', count: removed, tone: 'bad'},
      {name: 'deprecated', count: findings.length - removed, tone: 'warn'},
    ],
    whole: {name: 'uses', count: findings.length, tone: 'mute'},
    steps:
      findings.length === 0
        ? []
        : [['Replace what is removed first, then what is deprecated, and check again.', command]],
    sections: [
      ...[...groups.values()].slice(0, maxGroups).map(groupSection),
      note(groups.size > maxGroups, `${numberText(groups.size - maxGroups)} more features; --json has all of them.`),
    ],
    about: [
      'About this check',
      [
        ['Notes', notes.length > 0 ? numberText(notes.length) : undefined],
        ['In the baseline', known === undefined ? undefined : numberText(known)],
        ['No longer found', gone === undefined ? undefined : numberText(gone)],
      ],
    ],
  })
}

function grouped(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings.toSorted((one, other) => one.severity.localeCompare(other.severity))) {
    const group = groups.get(finding.ruleId) ?? []
    group.push(finding)
    groups.set(finding.ruleId, group)
  }
  return groups
}

function groupSection(findings: readonly Finding[]): Html {
  const [first] = findings
  if (!first) return nothing
  const {item, severity, date, alternative, ruleId} = first
  const places = findings
    .slice(0, maxPlaces)
    .map(({path, line, found}) => html`<tr><td>${path}:${line}</td><td><code>${found}</code></td></tr>`)
  const left = findings.length - places.length
  return section(
    item,
    html`<p><b class="${severity === 'error' ? 'bad' : 'warn'}">${severity === 'error' ? 'Removed' : 'Deprecated'}</b>${date === null ? '' : ` since ${date}`} · ${numberText(findings.length)} ${findings.length === 1 ? 'use' : 'uses'} · ${ruleId}</p><p>Instead: ${alternative}</p><table><tbody>${places}</tbody></table>`,
    note(left > 0, `${numberText(left)} more places; --json has all of them.`),
  )
}
