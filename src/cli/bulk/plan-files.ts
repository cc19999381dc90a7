import {resolve} from 'node:path'
import {defined} from '../../domain/equal.js'
import type {Mapping} from '../../transfer/mapping/mapping.js'
import type {PlanHeader} from '../../transfer/plan/plan-lines.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import {usage} from '../process/failure.js'
import type {BulkRun} from './bulk-command.js'
import {passwordFilesOf} from './flags.js'
import type {ImportJob} from './import.js'
import {type BulkFlags, bulkOptions, targetName} from './options.js'
import {type InputFlags, inputOf, type Read, withInput} from './sources.js'

/** The options of an import that its plan keeps. */
interface Planned extends InputFlags {
  readonly mapping: Mapping
  readonly match: BulkFlags['match']
  readonly mode: BulkFlags['mode']
  readonly passwordMode: BulkFlags['password-mode']
  readonly skipInvalid: boolean
  readonly shard?: string
}

/** From flags to plans in files. */
export const runPlan = {
  /** Writes what an import would do into a file. */
  out: async ({client, onEvent}: BulkRun, job: ImportJob, out: string): Promise<PlanResult & Read> => {
    const {files, flags, io, resolved} = job
    if (files.includes('-')) throw usage('A plan is of files that stay: - cannot be read again.')
    const options = await bulkOptions(flags, resolved)
    return withInput({...inputOf(flags), files}, io, onEvent, async ({sources}) => {
      const {planToFile} = await import('../../transfer/plan/plan-out.js')
      const about = defined(inputOf(flags))
      return planToFile(client, sources, {...options, onEvent, out: resolve(out), target: targetName(resolved), about})
    })
  },

  /** Carries out a plan. */
  apply: async ({client, onEvent}: BulkRun, job: ImportJob, path: string): Promise<ImportResult & Read> => {
    const {flags, io, resolved, jobsDir} = job
    if (job.files.length > 0) throw usage('--apply takes no file: the plan names its own.')
    const [{AppliedPlan}, {importCustomers}] = await Promise.all([
      import('../../transfer/plan/applied-plan.js'),
      import('../../transfer/run/import.js'),
    ])
    const target = targetName(resolved)
    const whose = {projectKey: client.projectKey, target, ...defined({storeKey: client.storeKey})}
    const applies = await AppliedPlan.open(path, whose)
    const {mapping, match, mode, passwordMode, skipInvalid, shard, ...input} = applies.header
      .options as unknown as Planned
    const flagsThen = {...flags, match, mode, 'password-mode': passwordMode, 'skip-invalid': skipInvalid, shard}
    const options = {...(await bulkOptions(flagsThen, resolved)), mapping}
    const files = namesOf(applies.header)
    return withInput({...inputOf(input), files}, io, onEvent, ({sources}) =>
      importCustomers(client, sources, {
        ...options,
        applies,
        jobsDir,
        target,
        resume: flags.resume,
        onEvent,
        about: {files, ...defined(inputOf(input))},
        ...passwordFilesOf(flags),
        ...defined({report: flags.report}),
      }),
    )
  },
}

const namesOf = ({files}: PlanHeader): string[] => files.flatMap(({name, joined}) => (joined ? [] : [name]))
