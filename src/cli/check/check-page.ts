import {type Html, html, nothing} from '../output/html.js'
import {numberText, pageText, section, shares, step} from '../output/html-page.js'
import type {Summary} from './outcome.js'

const maxLines = 1000
const cutNote = (all: number): Html =>
  all > maxLines
    ? html`<p class="note">The first ${numberText(maxLines)} of ${numberText(all)}; --json has all of them.</p>`
    : nothing

const marks = {
  passed: ['ok', 'good'],
  failed: ['false', 'bad'],
  error: ['no answer', 'bad'],
  skipped: ['skipped', 'mute'],
} as const

/** The outcome of a suite of checks; what is wrong comes first. */
export function checkPage(summary: Summary, target: string, command: string, madeAt: number): string {
  const {suite, ok, passed, failed, errors, skipped, durationMs, checks} = summary
  const isWrong = ({result}: Summary['checks'][number]): boolean => result === 'failed' || result === 'error'
  const ordered = [...checks.filter(isWrong), ...checks.filter((check) => !isWrong(check))]
  const lines = ordered
    .slice(0, maxLines)
    .map(
      ({name, result, durationMs: time, detail, failures}) =>
        html`<tr><td class="${marks[result][1]}"><b>${marks[result][0]}</b></td><td>${name}${[...(detail === undefined ? [] : [detail]), ...failures.slice(0, 20)].map((text) => html`<small>${text}</small>`)}</td><td class="n">${time} ms</td></tr>`,
    )
  return pageText({
    title: `Checks: ${suite}`,
    state: ok ? {text: 'All true', tone: 'good'} : {text: `${numberText(failed + errors)} to look at`, tone: 'bad'},
    lead: `${numberText(checks.length)} checks of ${target} in ${numberText(durationMs)} ms`,
    madeAt,
    sections: [
      section(
        'Counts',
        shares([
          {name: 'passed', count: passed, tone: 'good'},
          {name: 'failed', count: failed, tone: 'bad'},
          {name: 'without an answer', count: errors, tone: 'warn'},
          {name: 'skipped', count: skipped, tone: 'mute'},
        ]),
      ),
      ok
        ? nothing
        : section(
            'What stays to do',
            html`<ol>${[step('Look into what is false, then run the checks again.', command)]}</ol>`,
          ),
      section(
        'Each check',
        html`<table><thead><tr><th>Result</th><th>Check</th><th class="n">Time</th></tr></thead><tbody>${lines}</tbody></table>`,
        cutNote(checks.length),
      ),
    ],
  })
}
