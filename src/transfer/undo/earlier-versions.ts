import {join} from 'node:path'
import {isSamePlace, placeOfRun} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {KeptImage} from '../jobs/before-images.js'
import {changeNames} from '../jobs/changes.js'
import {jobNames, journalPath} from '../jobs/jobs.js'
import {readJournal} from '../jobs/journal.js'
import type {JobHeader} from '../jobs/journal-lines.js'

interface Versions {
  /** The versions that undos led to, and those whose states they brought back, each with the id of its customer. */
  readonly back: ReadonlyMap<string, number>
  /** Those that later runs and changes led to. */
  readonly later: ReadonlySet<string>
}

/**
 * The versions whose states undos brought back: a customer whom a later run changed, and who was taken back, counts as
 * the customer that the earlier run left. Journals are read when the first version differs.
 */
export class EarlierVersions {
  readonly #dir: string
  readonly #undone: JobHeader
  #known: Promise<Versions> | undefined

  constructor(dir: string, undone: JobHeader) {
    this.#dir = dir
    this.#undone = undone
  }

  /** Whether a customer counts as the one that was left at this version. */
  async isAt({id, version}: Customer, left: number | undefined): Promise<boolean> {
    return version === left || (await this.#walked(id, version, (at) => at === left)) === left
  }

  /** Whether a customer counts as one of a version beyond `version` and not beyond `upTo`, to which nobody later has led. */
  async isBetween(customer: Customer, {version, upTo}: Pick<KeptImage, 'version' | 'upTo'>): Promise<boolean> {
    this.#known ??= this.#read()
    const {later} = await this.#known
    const isOurs = (at: number) => at > version && at <= upTo && !later.has(`${customer.id} ${at}`)
    return isOurs(await this.#walked(customer.id, customer.version, isOurs))
  }

  /** Goes back over undos until a version is met. */
  async #walked(id: string, version: number, isMet: (at: number) => boolean): Promise<number> {
    this.#known ??= this.#read()
    const {back: known} = await this.#known
    let at = version
    for (let back = known.get(`${id} ${at}`); back !== undefined && !isMet(at); back = known.get(`${id} ${at}`))
      at = back
    return at
  }

  async #read(): Promise<Versions> {
    const {job} = this.#undone
    const [known, later] = [new Map<string, number>(), new Set<string>()]
    const paths = [
      ...(await jobNames(this.#dir)).filter((name) => name > job).map((name) => journalPath(this.#dir, name)),
      ...changeNames(this.#dir)
        .filter((name) => name > job)
        .map((name) => join(this.#dir, name)),
    ]
    for (const path of paths) {
      for await (const {line} of readJournal(path)) {
        if ('files' in line && !isSamePlace(placeOfRun(line), placeOfRun(this.#undone))) break
        if (!('row' in line) || (line.outcome !== 'restored' && line.outcome !== 'updated')) continue
        const {id, version, back} = line
        if (id === undefined || version === undefined) continue
        if (back !== undefined) known.set(`${id} ${version}`, back)
        else later.add(`${id} ${version}`)
      }
    }
    return {back: known, later}
  }
}
