import {basename} from 'node:path'
import {defined} from '../../domain/equal.js'
import {quoted} from '../../files/file-errors.js'
import type {Cause, CauseMembers} from '../../transfer/check/causes.js'
import {type Coverage, withoutSamples} from '../../transfer/check/coverage.js'
import type {StoredJob} from '../../transfer/jobs/jobs.js'
import type {PacePoint} from '../../transfer/jobs/pace.js'
import {jobStates} from '../../transfer/jobs/states.js'
import {
  type Html,
  html,
  momentText,
  note,
  nothing,
  numberText,
  type Page,
  pageText,
  section,
  type Tone,
} from '../output/html-page.js'
import {beside, type Run} from '../run/run.js'
import {duplicatesText, joinedText, membersText, positionsText, positionText} from './cause-lines.js'
import {type ShownJob, shownJob} from './jobs.js'
import {durationText} from './progress.js'

/** A job with what only its page shows. */
export interface JobPage {
  readonly job: ShownJob
  readonly pace: readonly PacePoint[]
  /** The command line that began it. */
  readonly command?: string | undefined
  /** A command line about the job, for the same target: `undo ID`. */
  readonly about: (...words: readonly string[]) => string
  readonly madeAt: number
}

const tones: readonly (readonly [keyof ShownJob['counts'], Tone])[] = [
  ['created', 'good'],
  ['updated', 'new'],
  ['deleted', 'warn'],
  ['restored', 'new'],
  ['unchanged', 'mute'],
  ['skipped', 'warn'],
  ['failed', 'bad'],
]

export function jobPage(page: JobPage): string {
  const {job, madeAt} = page
  const {counts} = job
  return pageText({
    title: `${titleOf(job)} into ${job.project}`,
    state: stateOf(job),
    lead: `${numberText(counts.read)} ${counts.read === 1 ? 'row' : 'rows'} handled, ${numberText(counts.failed)} failed · job ${job.id}`,
    madeAt,
    counts: tones.flatMap(([name, tone]) => {
      const count = counts[name]
      return count === undefined ? [] : [{name, count, tone}]
    }),
    whole: {name: 'rows handled', count: counts.read, tone: 'mute'},
    steps: stepsOf(page),
    sections: [
      causesSection('Why rows failed', defined({causes: job.causes, moreCauses: job.moreCauses}), job.files.length),
      keptSection(job),
      coverageSection(job),
    ],
    about: ['About this run', factsOf(page)],
  })
}

function keptSection({kept, files}: ShownJob): Html {
  if (!kept) return nothing
  const rows = kept.first.map(
    (row) =>
      html`<tr><td>${positionText(row, files.length)}</td><td>${row.id ?? ''}</td><td>${membersText(row.members)}</td></tr>`,
  )
  return section(
    'Kept, since somebody else changed it after the last run',
    html`<table><thead><tr><th>Row</th><th>Customer</th><th>Members</th></tr></thead><tbody>${rows}</tbody></table>`,
    note(kept.rows > rows.length, `${numberText(kept.rows - rows.length)} more rows keep something.`),
  )
}

const titleOf = ({options}: ShownJob): string => {
  if (options['undoOf'] !== undefined) return 'Taking back a run'
  return options['copiedFrom'] === undefined ? 'Import of customers' : 'Copy of customers'
}

function stateOf({state, counts: {failed}}: ShownJob): {text: string; tone: Tone} {
  const {list: text, tone, resume} = jobStates[state]
  return resume === 'says so' && failed > 0
    ? {text: `${text}, ${numberText(failed)} failed`, tone: 'warn'}
    : {text, tone}
}

/** The command line of a run that goes on with it. */
export const resuming = (command: string): string =>
  /\s--resume(?:\s|$)/.test(command) ? command : `${command} --resume`

function stepsOf(page: JobPage): Page['steps'] {
  const {job, command, about} = page
  const {failed, created, updated} = job.counts
  const {undoOf} = job.options
  const resumed = command && resuming(command)
  const steps: Page['steps'][number][] = []
  const {resume, undo} = jobStates[job.state]
  if (resume === 'refuses') steps.push(['The run is still in progress; this page shows how far it was.'])
  if (resume === 'goes on') {
    steps.push(['Repeat the command with --resume to continue. Finished rows are not sent again.', resumed])
  }
  if (resume === 'says so' && failed > 0) {
    const where =
      job.report === null ? '' : ` They are in ${job.report}, with their own columns and the reason of each.`
    steps.push([
      `Correct the ${numberText(failed)} failed ${failed === 1 ? 'row' : 'rows'}, then import them again.${where}`,
      typeof undoOf === 'string' ? about('undo', undoOf) : retryLine(page),
    ])
  }
  if (resume === 'says so' && failed === 0) steps.push(['Nothing: every row is done.'])
  if (undo === 'takes it back' && created + updated > 0 && undoOf === undefined) {
    steps.push(['If it was a mistake: see what taking the run back would do.', about('undo', job.id, '--dry-run')])
  }
  return steps
}

/** The command line with the failed rows alone; a copy reads its source again, and a plan has no failed rows. */
function retryLine({job: {options, report}, command}: JobPage): string | undefined {
  const isCopy = options['copiedFrom'] !== undefined
  if (command === undefined || report === null || isCopy) return isCopy ? command : undefined
  const line = command.replace(/ --resume(?= |$)/, '').replace(/ --retry-failed[ =](?:'[^']*'|\S+)/, '')
  return / --apply[ =]/.test(line) ? undefined : `${line} --retry-failed ${quoted(report)}`
}

/** The time at work: pauses between runs are not part of it. */
const workedMs = (pace: readonly PacePoint[]): number =>
  pace.reduce((sum, {at, starts}, index) => (starts ? sum : sum + Math.max(0, at - (pace[index - 1]?.at ?? at))), 0)

function factsOf({job, pace, command}: JobPage): readonly (readonly [string, string | undefined])[] {
  const worked = workedMs(pace)
  const perSecond = worked >= 1000 ? Math.round((job.counts.read * 1000) / worked) : undefined
  const from = job.options['copiedFrom']
  return [
    ['Project', job.project],
    ['Store', job.store],
    ['Target', job.target],
    [
      job.files.length === 1 ? 'File' : 'Files',
      from === undefined ? job.files.map((file) => basename(file)).join(', ') : undefined,
    ],
    ['Copied from', typeof from === 'string' ? `profile ${from}` : undefined],
    ['Started', momentText(Date.parse(job.startedAt))],
    ['Ended', job.endedAt === undefined ? undefined : momentText(Date.parse(job.endedAt))],
    ['At work', worked > 0 ? durationText(worked) : undefined],
    ['On average', perSecond === undefined ? undefined : `${numberText(perSecond)} rows per second`],
    ['Command', command],
  ]
}

/** Writes the page of a job from its journal, as far as that goes. */
export async function writeJobPage(run: Run, stored: StoredJob, path: string): Promise<void> {
  const quoting = (text: string): string => run.redaction.note(text)
  const {causes = [], coverage, ...job} = shownJob(stored)
  const shown = causes.map((cause) => ({
    ...cause,
    message: quoting(cause.message),
    ...defined({example: cause.example === undefined ? undefined : quoting(cause.example)}),
    first: cause.first.map(({customer, ...place}) => ({
      ...place,
      ...defined({customer: customer === undefined ? undefined : quoting(customer)}),
    })),
  }))
  const filled = coverage && run.redaction.on ? withoutSamples(coverage) : coverage
  const {command} = stored.header
  const page = jobPage({
    job: {...job, causes: shown, ...defined({coverage: filled})},
    pace: stored.progress.pace,
    command,
    about: (...words) => run.commandLine(words),
    madeAt: run.io.clock(),
  })
  // It appears whole, readable by its owner only, in the place of a page of before.
  await beside(run, `write ${path}`, () => void run.files.result(path, page, ''))
}

const shownCauses = 50

function causesSection(
  title: string,
  {causes = [], moreCauses = 0, aliases = {}}: CauseMembers,
  fileCount: number,
): Html {
  if (causes.length === 0) return nothing
  const left = Math.max(0, causes.length - shownCauses) + moreCauses
  const open = Object.keys(aliases).length > 0
  return section(
    title,
    html`<table><thead><tr><th class="n">Rows</th><th>Cause</th><th>First lines</th></tr></thead><tbody>${causes.slice(0, shownCauses).map((cause) => causeRow(cause, fileCount))}</tbody></table>`,
    note(left > 0, `${numberText(left)} more causes are not shown here; --json lists the first hundred.`),
    open
      ? html`<p class="note">Names that need a value. Add to the map file (--map-file), with the values filled in:</p><pre>${aliasLines(aliases)}</pre>`
      : nothing,
  )
}

const aliasLines = (aliases: CauseMembers['aliases']): readonly Html[] =>
  JSON.stringify({aliases}, null, 2)
    .split('\n')
    .slice(0, 60)
    .map(
      (line) => html`${line}
`,
    )

function causeRow({rows, first, code, column, message, example, fix}: Cause, fileCount: number): Html {
  const places = positionsText(rows, first, fileCount)
  return html`<tr><td class="n">${numberText(rows)}</td><td>${column === undefined ? nothing : html`<b>${column}</b>: `}${message}${example === undefined ? nothing : html`<small>The first: ${example}</small>`}${fix === undefined ? nothing : html`<small>${fix}</small>`}<small>${code}</small></td><td>${places}</td></tr>`
}

/** What the rows of a run fill, field by field. */
function coverageSection({coverage}: {readonly coverage?: Coverage | undefined}): Html {
  if (!coverage) return nothing
  const {rows, fields, moreFields = 0, ignored, duplicates = [], joins = []} = coverage
  return section(
    `What ${numberText(rows)} valid rows fill`,
    html`<table><thead><tr><th>Field</th><th class="n">Rows</th><th class="n">Values</th><th>The first of them</th></tr></thead><tbody>${fields.map(fieldRow)}</tbody></table>`,
    note(moreFields > 0, `${numberText(moreFields)} more fields are not counted.`),
    ...duplicates.map((found) => note(true, duplicatesText(found))),
    ...joins.map((found) => note(true, joinedText(found))),
    note(ignored.length > 0, `Columns that nothing takes: ${ignored.join(', ')}.`),
  )
}

function fieldRow({field, rows, distinct, more, samples}: Coverage['fields'][number]): Html {
  const values = distinct === undefined || rows === 0 ? '' : `${more ? 'over ' : ''}${numberText(distinct)}`
  return html`<tr><td>${field}</td><td class="n">${numberText(rows)}</td><td class="n">${values}</td><td>${samples.join(' · ')}</td></tr>`
}
