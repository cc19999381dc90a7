import {join} from 'node:path'
import {isSamePlace, placeOfRun} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {KeptImage} from '../jobs/before-images.js'
import {changeNames} from '../jobs/changes.js'
import {jobNames, journalPath} from '../jobs/jobs.js'
import {readJournal} from '../jobs/journal.js'
import type {JobHeader} from '../jobs/journal-lines.js'

export type EarlierVersions = ReturnType<typeof earlierVersions>

/**
 * The versions whose states undos brought back: a customer whom a later run changed, and who was taken back, counts as
 * the customer that the earlier run left. Journals are read when the first version differs.
 */
export function earlierVersions(dir: string, undone: JobHeader) {
  let read: ReturnType<typeof versionsSince> | undefined
  const versions = () => {
    read ??= versionsSince(dir, undone)
    return read
  }
  const walked = async (id: string, version: number, isMet: (at: number) => boolean): Promise<number> => {
    const {back: known} = await versions()
    let at = version
    for (let back = known.get(`${id} ${at}`); back !== undefined && !isMet(at); back = known.get(`${id} ${at}`))
      at = back
    return at
  }
  return {
    /** Whether a customer counts as the one that was left at this version. */
    isAt: async ({id, version}: Customer, left: number | undefined): Promise<boolean> =>
      version === left || (await walked(id, version, (at) => at === left)) === left,
    /** Whether a customer counts as one of a version beyond `version` and not beyond `upTo`, to which nobody later has led. */
    async isBetween(customer: Customer, {version, upTo}: Pick<KeptImage, 'version' | 'upTo'>): Promise<boolean> {
      const {later} = await versions()
      const isOurs = (at: number) => at > version && at <= upTo && !later.has(`${customer.id} ${at}`)
      return isOurs(await walked(customer.id, customer.version, isOurs))
    },
  }
}

/** With their customers: the versions that undos led to, and whose states they brought back; and those that others led to. */
async function versionsSince(dir: string, undone: JobHeader) {
  const [back, later] = [new Map<string, number>(), new Set<string>()]
  const jobs = (await jobNames(dir)).filter((name) => name > undone.job).map((name) => journalPath(dir, name))
  const changes = changeNames(dir).filter((name) => name > undone.job)
  for (const path of [...jobs, ...changes.map((name) => join(dir, name))]) {
    for await (const {line} of readJournal(path)) {
      if ('files' in line && !isSamePlace(placeOfRun(line), placeOfRun(undone))) break
      if (!('row' in line) || (line.outcome !== 'restored' && line.outcome !== 'updated')) continue
      if (line.id === undefined || line.version === undefined) continue
      if (line.back !== undefined) back.set(`${line.id} ${line.version}`, line.back)
      else later.add(`${line.id} ${line.version}`)
    }
  }
  return {back, later}
}
