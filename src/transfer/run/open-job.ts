import {resolve} from 'node:path'
import {placeKey, placeOfRun} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import type {Source} from '../input/row.js'
import {
  closeReplaced,
  createJob,
  digestOf,
  fingerprintOf,
  journalPath,
  nextJobName,
  type StoredJob,
  sameJob,
} from '../jobs/jobs.js'
import {JobProgress, Journal} from '../jobs/journal.js'
import type {JobHeader} from '../jobs/journal-lines.js'
import {jobStates} from '../jobs/states.js'
import type {Runtime} from '../send/runtime.js'

/** What a job does and where; runs with equal identities are the same job. */
export type JobIdentity = Pick<JobHeader, 'projectKey' | 'storeKey' | 'command' | 'wrote' | 'target' | 'options'>

/** Facts about a run: its target and, for people, its command and the paths as they were given. */
export interface AboutJob extends Pick<JobIdentity, 'target' | 'command'> {
  readonly about?: Readonly<Record<string, unknown>>
  /** The digest of the plan that is carried out. */
  readonly plan?: string
}

export type JobFiles = Awaited<ReturnType<typeof identify>>

/** The whole path of a file; what was kept of a stream goes by the name of the stream. */
const nameOf = ({name, path}: Source): string => (path === name ? resolve(name) : name)

export const rowsOf = (files: JobHeader['files'], {storeKey = '', ...of}: Omit<JobIdentity, 'options'>) => [
  files.map(({sha256}) => sha256),
  placeKey(placeOfRun(of)),
  storeKey,
]

export async function identify(sources: readonly Source[], identity: JobIdentity, joined: readonly Source[]) {
  const files: JobHeader['files'][number][] = []
  for (const source of [...sources, ...joined]) {
    const isJoined = joined.includes(source) ? ({joined: true} as const) : {}
    files.push({name: nameOf(source), bytes: source.bytes, sha256: await digestOf(source), ...isJoined})
  }
  return {
    files: files as JobHeader['files'],
    /** Digest of the rows and the target alone. */
    rows: fingerprintOf(rowsOf(files, identity)),
    fingerprint: fingerprintOf([...rowsOf(files, identity), identity.options]),
  }
}

/** The job that an interrupted run left behind, if there is one. Throws StateError while another process is at it. */
export async function jobToResume(dir: string, {fingerprint}: JobFiles): Promise<StoredJob | undefined> {
  const found = await sameJob(dir, fingerprint)
  return found && jobStates[found.state].resume === 'begins anew' ? undefined : found
}

export interface OpenJob {
  readonly job: string
  readonly journal: Journal
  readonly progress: JobProgress
  readonly replaces?: readonly string[]
}

export async function resumeJob(dir: string, {header, progress, bytes}: StoredJob): Promise<OpenJob> {
  return {job: header.job, journal: await Journal.resume(journalPath(dir, header.job), bytes), progress}
}

export async function beginJob(
  dir: string,
  {fingerprint, files}: JobFiles,
  {projectKey, storeKey, command, wrote, target, options}: JobIdentity,
  runtime: Runtime,
): Promise<OpenJob> {
  const now = runtime.now()
  const job = nextJobName(dir, now, runtime.bytes(3))
  const startedAt = new Date(now).toISOString()
  const store = defined({storeKey, command, wrote})
  const header = {job, format: 1, startedAt, fingerprint, projectKey, ...store, target, files, options} as const
  const journal = await createJob(dir, header)
  const replaces = await closeReplaced(dir, header)
  return {job, journal, progress: new JobProgress(files.map(({name}) => name)), replaces}
}
