import {resolve} from 'node:path'
import {defined} from '../../domain/equal.js'
import type {RowFormat} from '../../transfer/input/source.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import type {Io} from '../process/io.js'
import type {ResolvedTarget} from '../target/target.js'
import type {BulkRun} from './bulk-command.js'
import {type BulkFlags, bulkOptions, targetName} from './options.js'
import {openInput} from './sources.js'

export interface ImportFlags extends BulkFlags {
  readonly format?: RowFormat | undefined
  readonly 'retry-failed'?: string | undefined
  readonly 'generated-passwords'?: string | undefined
  readonly resume: boolean
  readonly report?: string | undefined
}

export interface ImportJob {
  readonly files: readonly string[]
  readonly flags: ImportFlags
  readonly io: Io
  readonly resolved: ResolvedTarget
  readonly jobsDir: string
}

/** From flags to the engine. */
export const runImport = {
  /** Tells what an import would do; `afterBatch` may show what was planned so far. */
  async dry(
    {client, onEvent}: BulkRun,
    {files, flags, io, resolved}: ImportJob,
    afterBatch?: () => Promise<void>,
  ): Promise<PlanResult> {
    const options = await bulkOptions(flags, resolved)
    const {sources, originals, dispose} = await openInput(
      {files, format: flags.format, report: flags['retry-failed']},
      io,
    )
    try {
      const {planImport} = await import('../../transfer/run/dry-run.js')
      return await planImport(client, sources, {
        ...options,
        onEvent,
        ...defined({originals, afterBatch}),
      })
    } finally {
      await dispose()
    }
  },

  /** Imports. */
  async write({client, onEvent}: BulkRun, {files, flags, io, resolved, jobsDir}: ImportJob): Promise<ImportResult> {
    const options = await bulkOptions(flags, resolved)
    const {sources, originals, dispose} = await openInput(
      {files, format: flags.format, report: flags['retry-failed']},
      io,
    )
    try {
      const {importCustomers} = await import('../../transfer/run/import.js')
      const {report, resume} = flags
      const passwordFile = flags['generated-passwords']
      return await importCustomers(client, sources, {
        ...options,
        jobsDir,
        target: targetName(resolved),
        resume,
        onEvent,
        about: {
          files: files.map((file) => (file === '-' ? file : resolve(file))),
          ...defined({format: flags.format}),
        },
        ...defined({originals, report, passwordFile}),
      })
    } finally {
      await dispose()
    }
  },
}
