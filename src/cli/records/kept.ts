import {keptCopies} from '../../client/local/maintenance.js'
import {placeOf} from '../../client/place.js'
import type {Target} from '../../client/target.js'
import {dayMs} from '../../domain/iso-time.js'
import type {PersonNames, Traces} from '../../transfer/jobs/forget.js'
import {usage} from '../process/failure.js'
import {variable} from '../process/io.js'
import type {Run} from '../run/run.js'
import {filesOf, pruneFiles} from '../run/written-files.js'
import type {Folders} from '../target/folders.js'
import {auditFolder, filesFolder, jobsFolder} from '../target/settings.js'
import {countSessions, forgetSessions} from '../tokens/sessions.js'

/**
 * The register of what commands keep of persons beside the state (decision 51). Each row goes by itself after its days,
 * and forgets a person; erasures and `customers erased` are loops over it.
 */

interface Kept {
  /** For people. */
  readonly what: string
  /** How long, for people; absent: the days of the setting. */
  readonly term?: string
  readonly folder: (folders: Folders) => string
  /** Removes what was last written before this time, in milliseconds since the epoch. */
  readonly prune?: (folder: string, before: number) => Promise<void> | void
  /** `deletion`: a customer who is deleted is forgotten as well. */
  readonly forgets?: 'deletion' | 'erasure'
  readonly forget?: (
    folder: string,
    persons: readonly PersonNames[],
    target: Target,
    traces?: Traces,
  ) => Promise<void> | void
  /** Files of the user's own that may hold the customers: an erasure leaves them, and names them. */
  readonly copies?: (run: Run, persons: readonly PersonNames[]) => Promise<readonly string[]> | readonly string[]
  /** In how many places it names a customer. */
  readonly count?: (folder: string, id: string, target: Target) => Promise<number> | number
}

const jobs = () => import('../../transfer/jobs/forget.js')

const register: readonly Kept[] = [
  // Before the images: where an erasure is repeated, they tell the former emails by which rows name the person.
  {
    what: 'journals of jobs, and their tables of failed rows',
    folder: jobsFolder,
    prune: async (folder, before) => (await jobs()).pruneJobs(folder, before),
    forgets: 'erasure',
    forget: async (folder, persons, _, traces) => (await jobs()).forgetInJournals(folder, persons, traces),
    copies: async ({folders}, persons) => (await (await jobs()).mentionsOf(jobsFolder(folders), persons)).files,
    count: async (folder, id) => (await jobs()).mentionsOf(folder, [{id}]).then(({rows}) => rows),
  },
  {
    what: 'the values that updates replaced, for `undo`',
    folder: jobsFolder,
    forgets: 'deletion',
    forget: async (folder, persons, _, traces) =>
      (await jobs()).forgetInImages(folder, new Set(persons.map(({id}) => id)), traces),
    count: async (folder, id) => (await jobs()).imagesOf(folder, id),
  },
  {
    what: 'saved sessions of the customer, with tokens',
    term: 'until `token forget`',
    folder: ({cache}) => cache,
    forgets: 'deletion',
    forget: (folder, persons) => {
      for (const {id} of persons) forgetSessions(folder, id)
    },
    count: (folder, id) => countSessions(folder, id),
  },
  {
    what: 'snapshots and what repairs put aside',
    term: 'until they are removed by hand',
    folder: ({data}) => data,
    copies: ({resolved: {target}}) => (target.kind === 'embedded' ? keptCopies(target.dataDir) : []),
  },
  {
    what: 'paths of files that commands wrote',
    term: 'as long as the file is there',
    folder: filesFolder,
    prune: pruneFiles,
    copies: ({folders, resolved}) => filesOf(folders, placeOf(resolved.target)),
  },
  {what: 'the audit log, which has ids alone', term: 'until it is removed by hand', folder: auditFolder},
]

const daysVariable = 'FRONTDESK_KEEP_DAYS'

/** Milliseconds that rows are kept: 30 days, or as many as the environment says. */
function keptMs({io}: Run): number {
  const text = variable(io.env, daysVariable) ?? '30'
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days * dayMs
  throw usage(`${daysVariable} is '${text}'.`, 'Give a number of days, 1 to 3650.')
}

/** Removes what is older than its days. A failure leaves it to the next command. */
export async function pruneKept(run: Run): Promise<void> {
  const before = run.io.clock() - keptMs(run)
  for (const {folder, prune} of register)
    await Promise.resolve(prune?.(folder(run.folders), before)).catch(() => undefined)
}

/** Forgets customers who were deleted, or are to be erased. `traces`: where alone jobs are looked at. */
export async function forgetKept(
  {folders, resolved}: Run,
  persons: readonly PersonNames[],
  erased: boolean,
  traces?: Traces,
): Promise<void> {
  for (const {folder, forgets, forget} of register) {
    if (forgets === 'deletion' || erased) await forget?.(folder(folders), persons, resolved.target, traces)
  }
}

/** What makes this machine forget each of several persons on its own, who are looked for once. */
export async function forgetting(run: Run, persons: readonly PersonNames[]): Promise<(id: string) => Promise<void>> {
  const {tracesIn} = await import('../../transfer/jobs/traces.js')
  const traces = await tracesIn(jobsFolder(run.folders), persons)
  return (id) =>
    forgetKept(
      run,
      persons.filter((one) => one.id === id),
      true,
      traces,
    )
}

/** What the register still has of a customer, in numbers. */
export async function keptOf({folders, resolved}: Run, id: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const {what, folder, count} of register) {
    const places = await count?.(folder(folders), id, resolved.target)
    if (places) found[what] = places
  }
  return found
}

/** Copies that an erasure does not reach, and names: snapshots, files that commands read and wrote. */
export async function copiesOf(run: Run, persons: readonly PersonNames[]): Promise<readonly string[]> {
  const found = await Promise.all(register.map(({copies}) => copies?.(run, persons) ?? []))
  return [...new Set(found.flat())]
}
