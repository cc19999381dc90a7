import type {CauseMembers} from '../../transfer/check/causes.js'
import type {PlanResult} from '../../transfer/plan.js'
import {type Html, html, nothing} from '../output/html.js'
import {cutNote, numberText, type Page, pageText, section} from '../output/html-page.js'
import {causesSection} from './causes.js'

/** How many rows of a plan a page has. */
export const maxPlannedRows = 500

export interface PlanPage {
  readonly project: string
  readonly files: readonly string[]
  readonly plan: Omit<PlanResult, 'first' | 'issues'> & CauseMembers
  /** The first rows that would change something, or cannot. */
  readonly rows: readonly string[]
  /** Customers whom no row means, if that was asked for. */
  readonly extra?: number
  readonly madeAt: number
}

const kinds = [
  ['create', 'to create', 'good'],
  ['update', 'to update', 'new'],
  ['unchanged', 'unchanged', 'mute'],
  ['skipped', 'skipped', 'warn'],
  ['conflict', 'in conflict', 'bad'],
  ['invalid', 'invalid', 'bad'],
] as const

/** What an import would change, before it does. */
export function planPage({project, files, plan, rows, extra, madeAt}: PlanPage): string {
  const troubles = plan.conflict + plan.invalid
  const changes = plan.create + plan.update
  return pageText({
    title: `What an import would change in ${project}`,
    state:
      troubles > 0
        ? {text: `${numberText(troubles)} rows need attention`, tone: 'bad'}
        : changes > 0
          ? {text: 'Ready', tone: 'good'}
          : {text: 'Nothing to change', tone: 'good'},
    lead: `${numberText(plan.read)} rows read; nothing was written`,
    madeAt,
    counts: kinds.map(([kind, name, tone]) => ({name, count: plan[kind], tone})),
    whole: {name: 'rows read', count: plan.read, tone: 'mute'},
    steps: stepsOf(troubles, changes),
    sections: [
      causesSection('Why rows cannot be imported', plan, files.length),
      rowsSection(rows, changes + plan.conflict),
    ],
    about: [
      'About this plan',
      [
        ['Project', project],
        [files.length === 1 ? 'File' : 'Files', files.join(', ')],
        ['Only in the project', extra === undefined ? undefined : numberText(extra)],
      ],
    ],
  })
}

function stepsOf(troubles: number, changes: number): Page['steps'] {
  const steps: Page['steps'][number][] = []
  if (troubles > 0) steps.push(['Correct the rows that are named below, or leave them out with --skip-invalid.'])
  if (changes > 0) steps.push(['Carry it out: customers import with the same files and flags.'])
  return steps.length > 0 ? steps : [['Nothing: the project has all of it.']]
}

/** A row as `diff` prints it: what it is on the first line, a line for each action below. */
function rowsSection(rows: readonly string[], total: number): Html {
  if (rows.length === 0) return nothing
  const lines = rows.map((row) => {
    const [head = '', ...actions] = row.split('\n')
    const tone = head.startsWith('+') ? 'good' : head.startsWith('~') ? 'new' : 'bad'
    const each = actions.slice(0, 20).map((action) => html`<small>${action.trim()}</small>`)
    return html`<tr><td class="${tone}"><b>${head.slice(0, 1)}</b></td><td>${head.slice(2)}${each}</td></tr>`
  })
  return section(
    'Row by row',
    html`<table><tbody>${lines}</tbody></table>`,
    cutNote(rows.length, total, ' rows', 'customers diff --json'),
  )
}
