import {resolve} from 'node:path'
import {defined} from '../../domain/equal.js'
import type {BulkOptions} from '../../transfer/run/bulk.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import type {RecentRows} from '../../transfer/sync/recent-rows.js'
import {isPage} from '../page/page-file.js'
import type {Io} from '../process/io.js'
import type {ResolvedTarget} from '../target/target.js'
import type {BulkRun} from './bulk-command.js'
import {type PasswordFileFlags, passwordFilesOf} from './flags.js'
import {type BulkFlags, bulkOptions, targetName} from './options.js'
import {type InputFlags, inputOf, type OpenInput, type Read, withInput} from './sources.js'

export interface ImportFlags extends PasswordFileFlags, BulkFlags, InputFlags {
  readonly 'retry-failed'?: string | undefined
  readonly resume: boolean
  readonly report?: string | undefined
}

export interface ImportJob {
  readonly files: readonly string[]
  readonly flags: ImportFlags
  readonly io: Io
  readonly resolved: ResolvedTarget
  readonly jobsDir: string
  /** The command line, for people. */
  readonly command?: string
  /** The rows that `--since` asks for. */
  readonly recent?: RecentRows | undefined
}

/** From flags to the engine. */
export const runImport = {
  /** Tells what an import would do; `afterBatch` may show what was planned so far. */
  dry: (run: BulkRun, job: ImportJob, afterBatch?: () => Promise<void>): Promise<PlanResult & Read> =>
    withRows(run, job, async ({sources, originals}, options) => {
      const {planImport} = await import('../../transfer/run/dry-run.js')
      return planImport(run.client, sources, {...options, onEvent: run.onEvent, ...defined({originals, afterBatch})})
    }),

  /** Imports. */
  write: (run: BulkRun, job: ImportJob): Promise<ImportResult & Read> =>
    withRows(run, job, async ({sources, originals}, options) => {
      const {importCustomers} = await import('../../transfer/run/import.js')
      const {files, flags, resolved, jobsDir, command} = job
      const {report, resume} = flags
      return importCustomers(run.client, sources, {
        ...options,
        jobsDir,
        target: targetName(resolved),
        resume,
        onEvent: run.onEvent,
        about: {
          files: files.map((file) => (file === '-' ? file : resolve(file))),
          ...defined({...inputOf(flags), preset: flags.preset}),
        },
        ...passwordFilesOf(flags),
        ...defined({originals, report: isPage(report) ? undefined : report, command}),
      })
    }),
}

async function withRows<R extends object>(
  {onEvent}: BulkRun,
  {files, flags, io, resolved, recent}: ImportJob,
  use: (input: OpenInput, options: BulkOptions) => Promise<R>,
): Promise<R & Read> {
  const options = {...(await bulkOptions(flags, resolved)), ...defined({recent})}
  const named = {...inputOf(flags), files, report: flags['retry-failed']}
  return withInput(named, io, onEvent, (input) => use(input, options))
}
