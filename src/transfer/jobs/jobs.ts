import {createHash} from 'node:crypto'
import {createReadStream, existsSync, readdirSync} from 'node:fs'
import {mkdir, stat} from 'node:fs/promises'
import {isAbsolute, join} from 'node:path'
import {placeKey, placeOfRun} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {StateError} from '../../domain/errors.js'
import {liveness, parsedIdentity} from '../../files/process-identity.js'
import type {CauseMembers} from '../check/causes.js'
import type {Coverage} from '../check/coverage.js'
import {linesBackwards} from '../files/lines.js'
import {wholePieceBytes} from '../input/container/stored-bytes.js'
import type {Source} from '../input/row.js'
import {JobProgress, Journal, parsedLine, readJournal} from './journal.js'
import type {Counts, JobHeader} from './journal-lines.js'
import type {KeptMembers} from './kept-members.js'

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

/** A job as `jobs list` shows it. */
export interface Job {
  readonly header: JobHeader
  /** Closed: it was not finished, and a job of the same files, corrected, took its place. */
  readonly state: 'running' | 'finished' | 'unfinished' | 'closed'
  readonly counts: Counts
  /** The table of failed rows of a finished job, if there are any. */
  readonly report: string | null
  /** When it finished. */
  readonly endedAt?: string
  /** Why rows failed. */
  readonly causes?: CauseMembers
  /** What stayed as somebody else changed it. */
  readonly kept?: KeptMembers
  /** What its rows fill. */
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
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .filter((name) => jobForm.test(name))
    .sort()
    .reverse()

/** A job with all that its journal says; undefined if there is none of this name. */
export async function readJob(dir: string, job: string): Promise<StoredJob | undefined> {
  if (!jobForm.test(job) || !existsSync(journalPath(dir, job))) return undefined
  let progress = new JobProgress()
  let header: JobHeader | undefined
  let bytes = 0
  for await (const {line, end} of readJournal(journalPath(dir, job))) {
    if (header) progress.take(line)
    else {
      header = line as JobHeader
      progress = new JobProgress(fileNames(header))
    }
    bytes = end
  }
  if (!header?.fingerprint) return undefined
  const run = parsedIdentity(progress.lastRun)
  // Unknown counts as ended, or a container that was killed would block its job for good.
  const running = !progress.ended && run !== undefined && liveness(run) === 'alive'
  const unended = progress.closedBy === undefined ? (running ? 'running' : 'unfinished') : 'closed'
  const state = progress.ended ? 'finished' : unended
  const {counts, report, causes, endedAt, coverage} = progress
  return {
    header,
    state,
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
  for await (const text of linesBackwards(path, size)) {
    const last = parsedLine(text)
    const header = last && 'end' in last ? await headerOf(path) : undefined
    if (!last || !('end' in last) || !header?.fingerprint) break
    const {end: counts, report, at} = last
    return {header, state: 'finished', counts, report, ...defined({endedAt: at})}
  }
  return readJob(dir, job)
}

const fileNames = ({files}: Partial<JobHeader>): string[] => (files ?? []).map(({name}) => name)

/**
 * Closes the unfinished jobs of the same files and target when a job begins: the files or options have changed, so that
 * they cannot be resumed. Returns their names.
 */
export async function closeReplaced(dir: string, {job: by, startedAt: at, ...header}: JobHeader): Promise<string[]> {
  const closed: string[] = []
  for (const name of await jobNames(dir)) {
    const head = await headerOf(journalPath(dir, name))
    if (name === by || !head || !isOfSameFiles(head, header)) continue
    if ((await readJobSummary(dir, name))?.state !== 'unfinished') continue
    const stored = await readJob(dir, name)
    const journal = await Journal.resume(journalPath(dir, name), stored?.bytes ?? 0)
    journal.append({closed: {by, at}})
    await journal.close()
    closed.push(name)
  }
  return closed
}

type Rows = Pick<JobHeader, 'files' | 'projectKey' | 'storeKey' | 'target' | 'options'>

/** What came by a stream has no name that says that it is the same. */
const isOfSameFiles = (one: Rows, other: Rows): boolean => {
  const of = ({files, storeKey, options, ...run}: Rows) =>
    JSON.stringify([files.map(({name}) => name), placeKey(placeOfRun(run)), storeKey, options['undoOf']])
  return other.files.every(({name}) => isAbsolute(name)) && of(one) === of(other)
}

/** The newest job that does exactly the same. Throws StateError if another process is at it. */
export async function sameJob(dir: string, fingerprint: string): Promise<StoredJob | undefined> {
  for (const name of await jobNames(dir)) {
    const head = await headerOf(journalPath(dir, name))
    if (head?.fingerprint !== fingerprint) continue
    const job = await readJob(dir, name)
    if (job?.state === 'running' && job.progress.lastRun?.pid !== process.pid) {
      const pid = job.progress.lastRun?.pid
      throw new StateError(
        'StateLocked',
        `The job ${name} is still at work in process ${pid}.`,
        journalPath(dir, name),
        'Wait for that process to end, or end it.',
      )
    }
    return job
  }
  return undefined
}

async function headerOf(path: string): Promise<JobHeader | undefined> {
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
