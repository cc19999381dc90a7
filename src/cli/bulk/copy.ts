import type {Client} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import {interruption} from '../process/interruption.js'
import type {Environment} from '../process/io.js'
import type {Profiles} from '../target/profiles.js'
import {type Chosen, chosenProfile, type Folders} from '../target/settings.js'
import {type ResolvedTarget, resolveTarget} from '../target/target.js'
import type {BulkRun} from './bulk-command.js'
import {pageQueryOf} from './export.js'
import {type BulkFlags, bulkOptions, targetName} from './options.js'

export interface CopyFlags extends BulkFlags {
  readonly anonymize?: string | undefined
  readonly where?: readonly string[] | undefined
  readonly var?: readonly string[] | undefined
  readonly 'generated-passwords'?: string | undefined
  readonly resume: boolean
  readonly report?: string | undefined
}

export interface CopyJob {
  readonly flags: CopyFlags
  /** Where the customers come from. */
  readonly source: Client
  readonly sourceName: string
  readonly resolved: ResolvedTarget
  readonly jobsDir: string
}

/** Variables that name one target. They are ignored, since a copy has two and each is named by its profile. */
const aboutOneTarget = [
  'FRONTDESK_PROFILE',
  'FRONTDESK_PROJECT_KEY',
  'FRONTDESK_API_URL',
  'FRONTDESK_AUTH_URL',
  'FRONTDESK_STORE',
  'FRONTDESK_DATA_DIR',
  'FRONTDESK_CLIENT_ID',
  'FRONTDESK_CLIENT_SECRET',
  'FRONTDESK_TOKEN',
]

export interface Side {
  readonly chosen: Chosen
  readonly resolved: ResolvedTarget
}

/** One side of a copy, by the name of its profile alone. */
export function sideOf(name: string, profiles: Profiles, folders: Folders, env: Environment): Side {
  const own = Object.fromEntries(Object.entries(env).filter(([variable]) => !aboutOneTarget.includes(variable)))
  const flags = {profile: name}
  const chosen = chosenProfile(profiles, flags, own)
  return {chosen, resolved: resolveTarget({flags, env: own, chosen, folders})}
}

/** From flags to the engine. */
export const runCopy = {
  async dry({client, onEvent}: BulkRun, job: CopyJob): Promise<PlanResult> {
    const [options, {withCustomersOf}, {planImport}] = await Promise.all([
      bulkOptions(job.flags, job.resolved),
      import('../../transfer/run/copy.js'),
      import('../../transfer/run/dry-run.js'),
    ])
    return withCustomersOf(job.source, readOptions(job), (sources) =>
      planImport(client, sources, {...options, onEvent}),
    )
  },

  async write({client, onEvent}: BulkRun, job: CopyJob): Promise<ImportResult> {
    const {flags, resolved, jobsDir, sourceName} = job
    const [options, {withCustomersOf}, {importCustomers}] = await Promise.all([
      bulkOptions(flags, resolved),
      import('../../transfer/run/copy.js'),
      import('../../transfer/run/import.js'),
    ])
    const passwordFile = flags['generated-passwords']
    return withCustomersOf(job.source, readOptions(job), (sources) =>
      importCustomers(client, sources, {
        ...options,
        jobsDir,
        target: targetName(resolved),
        resume: flags.resume,
        onEvent,
        about: {copiedFrom: sourceName},
        ...defined({report: flags.report, passwordFile}),
      }),
    )
  },
}

function readOptions({flags}: CopyJob) {
  return {
    query: pageQueryOf(flags),
    signal: interruption(),
    ...defined({anonymize: flags.anonymize, retries: flags.retries}),
  }
}
