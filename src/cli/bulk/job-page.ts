import {basename} from 'node:path'
import {defined} from '../../domain/equal.js'
import type {StoredJob} from '../../transfer/jobs/jobs.js'
import type {PacePoint} from '../../transfer/jobs/pace.js'
import {nothing} from '../output/html.js'
import {momentText, numberText, type Page, pageText, section, type Tone} from '../output/html-page.js'
import {writePage} from '../run/page-file.js'
import type {Run} from '../run/run.js'
import {causesSection} from './causes.js'
import {type ShownJob, shownJob} from './jobs.js'
import {durationText} from './progress.js'
import {rateChart} from './rate-chart.js'

/** A job with what only its page shows. */
export interface JobPage {
  readonly job: ShownJob
  readonly pace: readonly PacePoint[]
  /** The command line that began it. */
  readonly command?: string | undefined
  /** A command line about the job, for the same target: `jobs retry ID`. */
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

/** What became of a bulk run, for those who answer for it. */
export function jobPage(page: JobPage): string {
  const {job, pace, madeAt} = page
  const {counts} = job
  const chart = rateChart(pace)
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
      chart ? section('Rows per second', chart) : nothing,
    ],
    about: ['About this run', factsOf(page)],
  })
}

const titleOf = ({options}: ShownJob): string => {
  if (options['undoOf'] !== undefined) return 'Taking back a run'
  return options['copiedFrom'] === undefined ? 'Import of customers' : 'Copy of customers'
}

function stateOf({state, counts: {failed}}: ShownJob): {text: string; tone: Tone} {
  if (state === 'running') return {text: 'Still running', tone: 'new'}
  if (state === 'unfinished') return {text: 'Not finished', tone: 'bad'}
  return failed > 0 ? {text: `Finished, ${numberText(failed)} failed`, tone: 'warn'} : {text: 'Finished', tone: 'good'}
}

function stepsOf({job, command, about}: JobPage): Page['steps'] {
  const {failed, created, updated} = job.counts
  const {undoOf} = job.options
  const resumed =
    command === undefined ? undefined : /\s--resume(?:\s|$)/.test(command) ? command : `${command} --resume`
  const steps: Page['steps'][number][] = []
  if (job.state === 'running') steps.push(['The run is still at work; this page shows how far it was.'])
  if (job.state === 'unfinished') {
    steps.push([
      'Go on where it ended. Rows that are finished are not sent again; repeat the command with --resume.',
      resumed,
    ])
  }
  if (job.state === 'finished' && failed > 0) {
    const where =
      job.report === null ? '' : ` They are in ${job.report}, with their own columns and the reason of each.`
    steps.push([
      `Correct the ${numberText(failed)} failed ${failed === 1 ? 'row' : 'rows'}, then import them again.${where}`,
      typeof undoOf === 'string' ? about('jobs', 'undo', undoOf) : about('jobs', 'retry', job.id),
    ])
  }
  if (job.state === 'finished' && failed === 0) steps.push(['Nothing: every row is where it belongs.'])
  if (job.state !== 'running' && created + updated > 0 && undoOf === undefined) {
    steps.push([
      'If it was a mistake: see what taking the run back would do.',
      about('jobs', 'undo', job.id, '--dry-run'),
    ])
  }
  return steps
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

export interface JobPageFile extends Pick<JobPage, 'about' | 'madeAt'> {
  readonly path: string
  /** What a text says of customers, where the run redacts. */
  readonly quoting: (text: string) => string
}

/** Writes the page of a job from its journal, as far as that goes. */
export async function writeJobPage(run: Run, stored: StoredJob, {path, quoting, ...rest}: JobPageFile): Promise<void> {
  const {causes = [], ...job} = shownJob(stored)
  const shown = causes.map((cause) => ({
    ...cause,
    message: quoting(cause.message),
    ...defined({example: cause.example === undefined ? undefined : quoting(cause.example)}),
    first: cause.first.map(({customer, ...place}) => ({
      ...place,
      ...defined({customer: customer === undefined ? undefined : quoting(customer)}),
    })),
  }))
  const {command} = stored.header
  const page = jobPage({job: {...job, causes: shown}, pace: stored.progress.pace, command, ...rest})
  await writePage(run, path, page)
}
