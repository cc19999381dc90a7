import type {Client} from '../../client/client.js'
import {keptCopies} from '../../client/local/maintenance.js'
import {placeOf} from '../../client/place.js'
import {dayMs} from '../../domain/iso-time.js'
import {removeQuietly} from '../../files/private-file.js'
import type {JobsAt, PersonNames, Traces} from '../../transfer/jobs/traces.js'
import {customerExists} from '../customers/calls.js'
import {usage} from '../process/failure.js'
import {variable} from '../process/io.js'
import {beside, type Run} from '../run/run.js'
import {filesOf, pruneFiles} from '../run/written-files.js'
import type {Folders} from '../target/folders.js'
import {auditFolder, filesFolder, jobsFolder} from '../target/settings.js'
import {forgetSessions, sessionsOfCustomer} from '../tokens/sessions.js'
import {brokenOff, countErasures, pruneErasures} from './erasures.js'

/**
 * The register of what commands keep of persons beside the state (decision 51). Each row goes by itself after its days,
 * and forgets a person; erasures and `customers erased` are loops over it.
 */

interface Kept {
  readonly what: string
  /** How long, for people; absent: the days of the setting. */
  readonly term?: string
  readonly folder: (folders: Folders) => string
  /** Removes what was last written before this time, in milliseconds since the epoch. */
  readonly prune?: (folder: string, before: number) => Promise<void> | void
  /** `deletion`: a customer who is deleted is forgotten as well. */
  readonly forgets?: 'deletion' | 'erasure'
  readonly forget?: (run: Run, ids: readonly string[], traces: Traces) => Promise<void> | void
  /** Files of the user's own that may hold the customers: an erasure leaves them, and names them. */
  readonly copies?: (run: Run, persons: readonly PersonNames[]) => Promise<readonly string[]> | readonly string[]
  /** In how many places it names a customer of the target. */
  readonly count?: (run: Run, id: string) => Promise<number> | number
}

const [jobs, traces] = [() => import('../../transfer/jobs/forget.js'), () => import('../../transfer/jobs/traces.js')]

/** What other places keep of somebody with the same id is not of this person (decision 68). */
const jobsAt = ({folders, resolved}: Run): JobsAt => ({dir: jobsFolder(folders), place: placeOf(resolved.target)})

const register: readonly Kept[] = [
  {
    what: 'journals of jobs, and their tables of failed rows',
    folder: jobsFolder,
    prune: async (folder, before) => (await jobs()).pruneJobs(folder, before),
    forgets: 'erasure',
    forget: async (_, ids, found) => (await jobs()).forgetRows(found, ids),
    copies: async (run, persons) => (await (await traces()).mentionsOf(jobsAt(run), persons)).files,
    count: async (run, id) => (await (await traces()).mentionsOf(jobsAt(run), [{id}])).rows,
  },
  {
    what: 'the values that updates replaced, for `undo`',
    folder: jobsFolder,
    forgets: 'deletion',
    forget: async (_, ids, found) => (await jobs()).forgetWrites(found, ids),
    count: async (run, id) => (await traces()).writesOf(jobsAt(run), id),
  },
  {
    what: 'saved sessions of the customer, with tokens',
    term: 'until `token forget`',
    folder: ({cache}) => cache,
    forgets: 'deletion',
    forget: ({folders, resolved}, ids) => {
      for (const id of ids) forgetSessions(folders.cache, id, resolved)
    },
    count: ({folders, resolved}, id) => sessionsOfCustomer(folders.cache, id, resolved).length,
  },
  {
    what: 'erasures that have not ended, with the names of the person',
    term: 'until they are gone on with',
    folder: jobsFolder,
    prune: pruneErasures,
    count: countErasures,
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

/**
 * What makes this machine forget persons who were deleted or erased: one of them, or all. What it keeps of them is looked
 * for once.
 */
export async function forgetting(
  run: Run,
  persons: readonly PersonNames[],
  erased: boolean,
): Promise<(id?: string) => Promise<void>> {
  const found = await (await traces()).tracesIn(jobsAt(run), persons)
  const all = [...new Set(persons.map(({id}) => id))]
  return async (id) => {
    for (const {forgets, forget} of register)
      if (forgets === 'deletion' || erased) await forget?.(run, id === undefined ? all : [id], found)
  }
}

/** Ends the erasures of this place that were broken off. Returns the persons who are gone. */
export async function goOnErasing(run: Run, client: Client): Promise<readonly PersonNames[]> {
  const gone: PersonNames[] = []
  const broken = brokenOff(run)
  if (broken.length === 0) return gone
  await beside(run, 'go on with an erasure', async () => {
    for (const {path, persons} of broken) {
      const [{id} = {id: ''}] = persons
      if (!(await customerExists(client, {by: 'id', value: id}))) {
        await (await forgetting(run, persons, true))()
        run.say(`The erasure of ${id} was broken off; this machine keeps nothing of that customer any more.`)
        gone.push(...persons)
      }
      removeQuietly(path)
    }
  })
  return gone
}

/** What the register still has of a customer, in numbers. */
export async function keptOf(run: Run, id: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {}
  for (const {what, count} of register) {
    const places = await count?.(run, id)
    if (places) found[what] = places
  }
  return found
}

/** Copies that an erasure does not reach, and names: snapshots, files that commands read and wrote. */
export async function copiesOf(run: Run, persons: readonly PersonNames[]): Promise<readonly string[]> {
  const found = await Promise.all(register.map(({copies}) => copies?.(run, persons) ?? []))
  return [...new Set(found.flat())]
}
