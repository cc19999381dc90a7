import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import type {CopyOptions} from '../../transfer/run/copy.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import {isPage} from '../page/page-file.js'
import {interruption} from '../process/interruption.js'
import type {Environment} from '../process/io.js'
import type {Profiles} from '../target/profiles.js'
import {type Chosen, chosenProfile, type Folders} from '../target/settings.js'
import {type ResolvedTarget, resolveTarget} from '../target/target.js'
import type {BulkRun} from './bulk-command.js'
import {changesOf, pageQueryOf} from './export.js'
import {type PasswordFileFlags, passwordFilesOf} from './flags.js'
import {type BulkFlags, bulkOptions, targetName} from './options.js'
import type {Since} from './since.js'
import type {Beside} from './summaries.js'

export interface CopyFlags extends PasswordFileFlags, BulkFlags {
  readonly anonymize?: string | undefined
  readonly where?: string[] | undefined
  readonly var?: string[] | undefined
  readonly resume: boolean
  readonly report?: string | undefined
  readonly 'with-references'?: boolean
}

export interface CopyJob {
  readonly flags: CopyFlags
  /** Where the customers come from. */
  readonly source: Client
  readonly sourceName: string
  readonly resolved: ResolvedTarget
  readonly jobsDir: string
  /** The command line, for people. */
  readonly command?: string
  readonly since?: Since | undefined
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
  async dry({client, onEvent}: BulkRun, job: CopyJob): Promise<PlanResult & Beside> {
    const [options, {withCustomersOf}, {planImport}] = await Promise.all([
      optionsOf(job),
      import('../../transfer/run/copy.js'),
      import('../../transfer/run/dry-run.js'),
    ])
    const beside = await besideCustomers(client, job, true)
    const reading = await readOptions(job)
    const plan = await withCustomersOf(job.source, {...reading, ...beside.reading}, (sources, read) =>
      planImport(client, sources, {
        ...options,
        referencesComing: job.flags['with-references'] === true,
        onEvent: telling(onEvent, job, read),
      }),
    )
    return {...plan, ...beside.shown()}
  },

  async write({client, onEvent}: BulkRun, job: CopyJob): Promise<ImportResult & Beside> {
    const {flags, resolved, jobsDir, sourceName, command} = job
    const [options, {withCustomersOf}, {importCustomers}] = await Promise.all([
      optionsOf(job),
      import('../../transfer/run/copy.js'),
      import('../../transfer/run/import.js'),
    ])
    const beside = await besideCustomers(client, job, false)
    const reading = await readOptions(job)
    const result = await withCustomersOf(job.source, {...reading, ...beside.reading}, (sources, read) =>
      importCustomers(client, sources, {
        ...options,
        jobsDir,
        target: targetName(resolved),
        resume: flags.resume,
        onEvent: telling(onEvent, job, read),
        about: {copiedFrom: sourceName},
        ...passwordFilesOf(flags),
        ...defined({report: isPage(flags.report) ? undefined : flags.report, command}),
      }),
    )
    if (job.since && reading.watermark) job.since.reached = reading.watermark.value
    return {...result, ...beside.shown()}
  },
}

/** How customers are found in the target: by key unless told, and by email where one has none. */
const optionsOf = async ({flags, resolved}: CopyJob) => ({
  ...(await bulkOptions(flags, resolved)),
  match: flags.match ?? ('key-or-email' as const),
})

/** Says first how many customers are found by email. */
function telling(onEvent: BulkRun['onEvent'], {flags}: CopyJob, {withoutKey}: {readonly withoutKey: number}) {
  if (flags.match === undefined && withoutKey > 0) onEvent({type: 'without-key', rows: withoutKey})
  return onEvent
}

/** Brings what the customers refer to before they come, where `--with-references` asks for it. */
async function besideCustomers(client: Client, job: CopyJob, isDry: boolean) {
  if (!job.flags['with-references']) return {reading: {}, shown: () => ({})}
  const {bringReferences} = await import('../../transfer/run/references.js')
  const options = {isDry, signal: interruption(), ...defined({retries: job.flags.retries})}
  const {brought, newIds, unknown} = await bringReferences(job.source, client, options)
  return {
    reading: {newIds, trim: (customer: Customer) => unknown.without(customer)},
    shown: () => ({references: brought, valuesLeftOut: unknown.leftOut}),
  }
}

async function readOptions({flags, since}: CopyJob): Promise<CopyOptions> {
  const {query, watermark} = await changesOf(pageQueryOf(flags), since)
  return {
    query,
    signal: interruption(),
    ...defined({anonymize: flags.anonymize, retries: flags.retries, watermark}),
  }
}
