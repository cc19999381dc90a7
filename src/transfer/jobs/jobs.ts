import {createHash} from 'node:crypto'
import {createReadStream, existsSync, readdirSync} from 'node:fs'
import {mkdir, stat} from 'node:fs/promises'
import {isAbsolute, join} from 'node:path'
import {placeKey, placeOfRun} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {StateError} from '../../domain/errors.js'
import type {CauseMembers} from '../check/causes.js'
import type {Coverage} from '../check/coverage.js'
import {linesBackwards} from '../files/lines.js'
import {wholePieceBytes} from '../input/container/stored-bytes.js'
import type {Source} from '../input/row.js'
import {JobProgress, Journal, parsedLine, readJournal} from './journal.js'
import type {Counts, Ending, JobHeader} from './journal-lines.js'
import type {KeptMembers} from './kept-members.js'
import {isOpen, type JobState, jobStates, stateOf} from './states.js'

const suffix = '.jsonl'
/** Of a run over rows; the change of one customer has a longer name. */
export const jobForm = /^\d{8}-\d{9}-[0-9a-f]{6}$/

export const journalPath = (dir: string, job: string): string => join(dir, `${job}${suffix}`)
export const reportPath = (dir: string, job: string): string => join(dir, `${job}.failed.csv`)

/** A name that sorts by time: `20261120-093000125-1a2b3c`. */
export function newJobName(now: number, random: Buffer): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  return `${date.replaceAll('-', '')}-${time.replace(/\D/g, '')}-${random.toString('hex')}`
}

/** A name that sorts behind all others of the folder, also after the clock went back: its order decides which job is the last. */
export function nextJobName(dir: string, now: number, random: Buffer): string {
  const times = filesIn(dir).flatMap((name) => {
    const [, date, time] = /^(\d{4}-?\d\d-?\d\d)-(\d{9})-/.exec(name) ?? []
    if (!date || !time) return []
    return Date.parse(`${date.replace(/(\d\d)(\d\d)$/, '-$1-$2')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3.')}Z`) || []
  })
  return newJobName(
    times.reduce((last, time) => Math.max(last, time + 1), now),
    random,
  )
}

export interface Job {
  readonly header: JobHeader
  readonly state: JobState
  readonly counts: Counts
  readonly report: string | null
  readonly endedAt?: string
  readonly causes?: CauseMembers
  readonly kept?: KeptMembers
  readonly coverage?: Coverage
  /** Customer groups, stores and types that were created for its rows. */
  readonly references?: readonly string[]
}

export interface StoredJob extends Job {
  readonly causes: CauseMembers
  readonly progress: JobProgress
  /** Length of the journal up to its last whole line. */
  readonly bytes: number
}

/** The files of a folder; none if there is no such folder. */
export function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}

/** The names of the jobs in a folder, the newest first: `20261120-093000125-1a2b3c`. */
export const jobNames = async (dir: string): Promise<string[]> =>
  filesIn(dir)
    .flatMap((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : []))
    .filter((name) => jobForm.test(name))
    .sort()
    .reverse()

/** A job with all that its journal says; undefined if there is none of this name. Throws StateVersion for a newer format. */
export async function readJob(dir: string, job: string): Promise<StoredJob | undefined> {
  const path = journalPath(dir, job)
  const stored = jobForm.test(job) && existsSync(path) ? await storedJob(dir, job) : undefined
  if (stored && stored.header.format !== 1)
    throw new StateError(
      'StateVersion',
      `The job ${job} is of another release.`,
      path,
      'Use that release for this job.',
    )
  return stored
}

async function storedJob(dir: string, job: string): Promise<StoredJob | undefined> {
  let progress = new JobProgress()
  let header: JobHeader | undefined
  let bytes = 0
  for await (const {line, end} of readJournal(journalPath(dir, job))) {
    if (header) progress.take(line)
    else {
      header = line as JobHeader
      progress = new JobProgress((header as Partial<JobHeader>).files?.map(({name}) => name))
    }
    bytes = end
  }
  if (!header?.fingerprint) return undefined
  const {counts, report, causes, endedAt, coverage} = progress
  return {
    header,
    state: stateOf(progress),
    counts,
    report,
    ...defined({endedAt, coverage}),
    causes: causes.members,
    ...progress.kept.found,
    ...(progress.references.size > 0 ? {references: [...progress.references]} : {}),
    progress,
    bytes,
  }
}

/** The same without its rows: a job that ended has its counts in its last line. Why rows failed is left out then. */
export async function readJobSummary(dir: string, job: string): Promise<Job | undefined> {
  const path = journalPath(dir, job)
  const {size} = await stat(path)
  let state: JobState = 'finished'
  for await (const text of linesBackwards(path, size)) {
    const last = parsedLine(text)
    if (last && 'undone' in last) state = 'undone'
    if (last && state === 'undone' && ('undone' in last || 'run' in last)) continue
    const header = last && 'end' in last ? await headerOf(path) : undefined
    if (!last || !('end' in last) || !header?.fingerprint) break
    const {end: counts, report, at} = last
    return {header, state, counts, report, endedAt: at}
  }
  return storedJob(dir, job)
}

/** Whether no process works on a job, whose files may go by their age then. A file that is gone meanwhile may as well. */
export async function mayForget(dir: string, job: string): Promise<boolean> {
  if (!existsSync(journalPath(dir, job))) return true
  const {state} = (await readJobSummary(dir, job).catch(() => undefined)) ?? {}
  return state === undefined || jobStates[state].forget !== 'nothing'
}

/**
 * Closes the unfinished jobs of the same files and target when a job begins: nobody asked to resume them, or the files or
 * options have changed, so that nobody can. Returns their names.
 */
export async function closeReplaced(dir: string, {job: by, startedAt: at, ...header}: JobHeader): Promise<string[]> {
  const closed: string[] = []
  for (const name of await jobNames(dir)) {
    const head = await headerOf(journalPath(dir, name))
    if (name === by || !head || !isOfSameFiles(head, header)) continue
    const {state} = (await readJobSummary(dir, name)) ?? {}
    if (!state || jobStates[state].retry !== 'closes it') continue
    await noteEnding(dir, name, {closed: {by, at}})
    closed.push(name)
  }
  return closed
}

/** Notes in the journal of a job what another job has done with it. */
export async function noteEnding(dir: string, job: string, line: Ending): Promise<void> {
  const stored = await readJob(dir, job)
  if (!stored) return
  const journal = await Journal.resume(journalPath(dir, job), stored.bytes)
  journal.append(line)
  await journal.close()
}

type Rows = Pick<JobHeader, 'files' | 'projectKey' | 'storeKey' | 'target' | 'options'>

/** What came by a stream has no name that says that it is the same. */
const isOfSameFiles = (one: Rows, other: Rows): boolean => {
  const of = ({files, storeKey, options, ...run}: Rows) =>
    JSON.stringify([files.map(({name}) => name), placeKey(placeOfRun(run)), storeKey, options['undoOf']])
  return other.files.every(({name}) => isAbsolute(name)) && of(one) === of(other)
}

/** The job that does exactly the same: one that is open, or the last. Throws StateError if another process is at it. */
export async function sameJob(dir: string, fingerprint: string): Promise<StoredJob | undefined> {
  let last: StoredJob | undefined
  for (const name of await jobNames(dir)) {
    const head = await headerOf(journalPath(dir, name))
    if (head?.fingerprint !== fingerprint) continue
    const job = await readJob(dir, name)
    const pid = job?.progress.lastRun?.pid
    if (job && jobStates[job.state].resume === 'refuses' && pid !== process.pid) {
      throw new StateError(
        'StateLocked',
        `The job ${name} is still at work in process ${pid}.`,
        journalPath(dir, name),
        'Wait for that process to end, or end it.',
      )
    }
    if (job && isOpen(job.state)) return job
    last ??= job
  }
  return last
}

export async function headerOf(path: string): Promise<JobHeader | undefined> {
  for await (const {line} of readJournal(path)) return line as JobHeader
  return undefined
}

export async function createJob(dir: string, header: JobHeader): Promise<Journal> {
  await mkdir(dir, {recursive: true, mode: 0o700})
  return Journal.create(journalPath(dir, header.job), header)
}

/** The content of a file as a digest, so that a job is resumed with the very same rows only. */
export async function digestOf({path}: Pick<Source, 'path'>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, {highWaterMark: wholePieceBytes}) as AsyncIterable<Buffer>)
    hash.update(chunk)
  return hash.digest('hex')
}

/** A digest of plain data; member order counts. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
