import {html} from '../output/html.js'
import {cutNote, numberText, pageText, section} from '../output/html-page.js'
import {subjectText} from './reporters.js'
import type {Summary} from './runner.js'

const maxLines = 1000

const marks = {
  passed: ['ok', 'good'],
  failed: ['false', 'bad'],
  error: ['no answer', 'bad'],
  skipped: ['skipped', 'mute'],
} as const

/** The outcome of a suite of checks; what is wrong comes first. */
export function checkPage(summary: Summary, command: string, madeAt: number): string {
  const {suite, target, ok, passed, failed, errors, skipped, durationMs, checks} = summary
  const isWrong = ({result}: Summary['checks'][number]): boolean => result === 'failed' || result === 'error'
  const lines = checks
    .toSorted((one, other) => Number(isWrong(other)) - Number(isWrong(one)))
    .slice(0, maxLines)
    .map(
      ({name, result, durationMs: time, detail, failures}) =>
        html`<tr><td class="${marks[result][1]}"><b>${marks[result][0]}</b></td><td>${name}${[...(detail === undefined ? [] : [detail]), ...failures.slice(0, 20)].map((text) => html`<small>${text}</small>`)}</td><td class="n">${time} ms</td></tr>`,
    )
  return pageText({
    title: `Checks: ${suite}`,
    state: ok ? {text: 'All true', tone: 'good'} : {text: `${numberText(failed + errors)} to look at`, tone: 'bad'},
    lead: `${numberText(checks.length)} checks of ${subjectText(target)} in ${numberText(durationMs)} ms`,
    madeAt,
    counts: [
      {name: 'passed', count: passed, tone: 'good'},
      {name: 'failed', count: failed, tone: 'bad'},
      {name: 'without an answer', count: errors, tone: 'warn'},
      {name: 'skipped', count: skipped, tone: 'mute'},
    ],
    steps: ok ? [] : [['Look into what is false, then run the checks again.', command]],
    sections: [
      section(
        'Each check',
        html`<table><thead><tr><th>Result</th><th>Check</th><th class="n">Time</th></tr></thead><tbody>${lines}</tbody></table>`,
        cutNote(maxLines, checks.length),
      ),
    ],
  })
}
