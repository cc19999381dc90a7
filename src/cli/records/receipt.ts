import type {Client} from '../../client/client.js'
import {placeOf} from '../../client/place.js'
import {defined} from '../../domain/equal.js'
import {emailsIn, emailsInImages, type PersonNames} from '../../transfer/jobs/traces.js'
import {allRelated} from '../customers/related.js'
import {jsonText} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {readAudit} from '../safety/audit.js'
import {auditFolder, jobsFolder} from '../target/settings.js'
import {remainsOf, type Traces, tracesOf} from './traces.js'

/** The receipt of an erasure: numbers, times and ids, and nothing else about the person. */

export interface Erased {
  readonly id: string
  readonly before: Traces
  readonly after: Traces
}

/** With what this machine still keeps of the person. */
interface Settled extends Erased {
  readonly kept: Readonly<Record<string, number>>
}

/** Looks at what the API shows of a customer before an erasure and afterwards. */
export const proving =
  (client: Client, erased: Erased[]) =>
  async <R>(id: string, work: () => Promise<R>): Promise<R> => {
    const before = await tracesOf(client, id)
    const done = await work()
    erased.push({id, before, after: await tracesOf(client, id)})
    return done
  }

const stays = [
  {what: 'messages without their content: id, type, time', why: 'so that their sequence has no gap'},
  {what: 'quotes, requests and carts without the customer and its words', why: 'they are records of the business'},
  {what: 'lines of the audit log with the id, the operator, reason and ticket', why: 'they prove who erased whom'},
  {what: 'files that imports read and exports wrote', why: 'they belong to whoever asked for them'},
]

/** Writes the receipt of a run to a new file that its owner alone can read, and returns whether it could be; `copies` are those that it does not reach. */
export function writeReceipt(run: Run, path: string, erased: readonly Settled[], copies: readonly string[]): boolean {
  const {label, target} = run.resolved
  const {lines} = readAudit(auditFolder(run.folders))
  const receipt = {
    receipt: 'erasure of personal data',
    format: 1,
    time: new Date(run.io.clock()).toISOString(),
    project: target.projectKey,
    profile: label,
    operator: lines.at(-1)?.operator ?? '',
    ...defined({ticket: run.flags.ticket}),
    customers: erased.map(({id, before, after, kept}) => {
      const remains = {...remainsOf(after), ...kept}
      // A customer who is gone has no sessions to look at: whether there were some, only the time before tells.
      const isAllSeen = before.notLookedAt === undefined && after.notLookedAt === undefined
      const complete = Object.keys(remains).length === 0 && isAllSeen
      return {id, found: before, left: after, complete, ...(complete ? {} : {remains})}
    }),
    stays: [...stays, ...copies.map((copy) => ({what: `the copy ${copy}`, why: 'it is a copy of your own'}))],
    audit: {lines: lines.length},
  }
  return run.files.result(path, `${jsonText(receipt, 2)}\n`)
}

/**
 * Persons by the emails that they had before, as messages and before-images tell: rows of jobs may name them by one. To be
 * read before an erasure, which takes both away.
 */
export async function formerNames(run: Run, client: Client, ids: readonly string[]): Promise<PersonNames[]> {
  const found = await emailsInImages({dir: jobsFolder(run.folders), place: placeOf(run.resolved.target)}, new Set(ids))
  for (const id of ids) {
    const messages = await allRelated(client, 'messages', {where: 'resource(id = :id)', 'var.id': id})
    if (typeof messages !== 'string') found.push(...messages.flatMap(emailsIn).map((email) => ({id, email})))
  }
  return found
}
