import {resolve} from 'node:path'
import type {Client} from '../../client/client.js'
import {addressOf} from '../../client/place.js'
import {defined, pick} from '../../domain/equal.js'
import type {CauseMembers} from '../../transfer/check/causes.js'
import type {ImportOptions, ImportResult} from '../../transfer/import.js'
import type {Source} from '../../transfer/input/row.js'
import type {JoinCounts} from '../../transfer/mapping/mapper.js'
import type {DryRunOptions, PlanResult} from '../../transfer/plan.js'
import type {PlanRow} from '../../transfer/run/applied-plan.js'
import type {Listener} from '../../transfer/run/events.js'
import {usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import {jobsFolder} from '../target/settings.js'
import {type BulkFlags, isPage, passwordFilesOf} from './flags.js'
import {bulkOptions} from './options.js'
import type {Since} from './since.js'
import {type InputFlags, inputOf, withInput} from './sources.js'

/** The engine's side of a run. */
export interface BulkRun {
  readonly client: Client
  readonly onEvent: Listener
}

/** Rows, and what decides what becomes of them. */
export interface Rows {
  readonly sources: readonly Source[]
  readonly options: DryRunOptions & Pick<ImportOptions, 'applies'>
  /** What `jobs` shows of where they come from. */
  readonly about: Readonly<Record<string, unknown>>
  readonly brought?: readonly string[]
}

/** Opens the rows of a run, uses them and closes them. */
export type RowSource = <R extends object>(bulk: BulkRun, use: (rows: Rows) => Promise<R>) => Promise<R>

interface Showing {
  take(row: PlanRow): void
  readonly print: () => Promise<void>
  document(plan: PlanResult): PlanResult
}

const whereKept = ({folders, resolved}: Run) => ({jobsDir: jobsFolder(folders), target: addressOf(resolved.target)})

export const planRows = (bulk: BulkRun, open: RowSource, shown: Showing, run: Run): Promise<PlanResult> =>
  open(bulk, async ({sources, options}) => {
    const {planImport} = await import('../../transfer/plan.js')
    const onEvent: Listener = (event) => {
      bulk.onEvent(event)
      if (event.type === 'planned') shown.take(event.row)
    }
    const plan = await planImport(bulk.client, sources, {
      ...options,
      ...whereKept(run),
      onEvent,
      afterBatch: shown.print,
    })
    return shown.document(plan)
  })

/** Writes the rows of a run; `command` is its command line, for people. */
export const writeRows = (
  bulk: BulkRun,
  open: RowSource,
  run: Run<BulkFlags>,
  command?: string,
): Promise<ImportResult> =>
  open(bulk, async ({sources, options, about, brought}) => {
    const {flags} = run
    const {importCustomers} = await import('../../transfer/import.js')
    return importCustomers(bulk.client, sources, {
      ...options,
      ...whereKept(run),
      onEvent: bulk.onEvent,
      about,
      ...defined({brought}),
      resume: flags.resume === true,
      ...passwordFilesOf(flags),
      ...defined({report: isPage(flags.report) ? undefined : flags.report, command}),
    })
  })

type ImportFlags = BulkFlags & {readonly 'retry-failed'?: string | undefined}

/** The rows of files, or of a report of failed rows; `since`: only those that it asks for. */
export const rowsOfFiles =
  ({flags, io, resolved, isDry}: Run<ImportFlags>, files: readonly string[], since?: Since): RowSource =>
  async ({client, onEvent}, use) => {
    await since?.begin(client)
    const recent = since && new (await import('../../transfer/check/recent-rows.js')).RecentRows(since.from)
    const options = {...(await bulkOptions(flags, resolved)), ...defined({recent})}
    const about = {
      files: files.map((file) => (file === '-' ? file : resolve(file))),
      ...defined({...inputOf(flags), preset: flags.preset}),
      ...since?.about,
    }
    const input = {...inputOf(flags), files, report: flags['retry-failed']}
    const result = await withInput(input, io, onEvent, ({sources, originals}) =>
      use({sources, about, options: {...options, ...defined({originals})}}),
    )
    if (!isDry && recent) await since.reach(recent.latest, client)
    return result
  }

/** What a plan has decided, which no flag can change: `--apply` excludes those that would. */
const decided = [
  ...(['mapping', 'match', 'mode', 'passwordMode', 'onNewer', 'addresses', 'skipInvalid', 'onDuplicate'] as const),
]

/** The rows that a plan decided on, with its options; the load on the target is that of the flags. */
export const rowsOfPlan =
  (run: Run<ImportFlags>, path: string): RowSource =>
  async (bulk, use) => {
    const {openPlan} = await import('../../transfer/run/applied-plan.js')
    const {projectKey, storeKey} = bulk.client
    const whose = {projectKey, target: addressOf(run.resolved.target), ...defined({storeKey})}
    const applies = await openPlan(path, whose)
    const kept: InputFlags & DryRunOptions = applies.header.options
    const files = applies.header.files.flatMap(({name, joined}) => (joined ? [] : [name]))
    const options = {...(await bulkOptions(run.flags, run.resolved)), ...defined(pick(kept, decided)), applies}
    const input = inputOf(kept)
    const about = {files, ...defined(input)}
    return withInput({...input, files}, run.io, bulk.onEvent, ({sources}) => use({sources, about, options}))
  }

/** Writes what an import of files would do into a file. */
export async function planToFile(
  bulk: BulkRun,
  run: Run<ImportFlags>,
  files: readonly string[],
  out: string,
): Promise<PlanResult> {
  if (files.includes('-')) throw usage('--plan-out needs a file: - cannot be read again by --apply.')
  return rowsOfFiles(run, files)(bulk, async ({sources, options}) => {
    const plan = await import('../../transfer/plan.js')
    const about = defined(inputOf(run.flags))
    const where = {...whereKept(run), out: resolve(out)}
    return plan.planToFile(bulk.client, sources, {...options, onEvent: bulk.onEvent, ...where, about})
  })
}

/** What the events of a run add to its result. */
export interface RunNotes extends CauseMembers {
  /** `--resume` found the job at its end; the counts are those of then. */
  readonly alreadyFinished?: true
  readonly finishedAt?: string
  /** How the rows of joined files met those of the run. */
  readonly joins?: readonly JoinCounts[]
  /** Answers 429 and 503, and how long in all the server asked to be left alone. */
  readonly throttled?: {readonly answers: number; readonly pausedMs: number}
}

/** The result of a run of the engine, with what its events tell of it as a whole. */
export async function collectNotes<R>(
  onEvent: Listener,
  run: (onEvent: Listener) => Promise<R>,
): Promise<R & RunNotes> {
  let notes: RunNotes = {}
  const result = await run((event) => {
    if (event.type === 'causes') notes = {...notes, ...event.causes}
    if (event.type === 'throttled') {
      const {answers, pausedMs} = event.pressure
      notes = {...notes, throttled: {answers, pausedMs}}
    }
    if (event.type === 'joined') {
      const {type: _, ...counts} = event
      notes = {...notes, joins: [...(notes.joins ?? []).filter(({file}) => file !== counts.file), counts]}
    }
    if (event.type === 'already-finished') notes = {...notes, alreadyFinished: true, ...defined({finishedAt: event.at})}
    onEvent(event)
  })
  // Most runs have nothing to add, and some results are plain numbers.
  return (Object.keys(notes).length === 0 ? result : {...result, ...notes}) as R & RunNotes
}
