import {join} from 'node:path'
import {isSamePlace, placeOfRun} from '../../client/place.js'
import type {Customer} from '../../domain/customers/customer.js'
import {changeNames} from '../jobs/changes.js'
import {jobNames, journalPath} from '../jobs/jobs.js'
import {readJournal} from '../jobs/journal.js'
import type {JobHeader} from '../jobs/journal-lines.js'

/**
 * The versions whose states undos brought back: a customer whom a later run changed, and who was taken back, counts as
 * the customer that the earlier run left. Journals are read when the first version differs.
 */
export class EarlierVersions {
  readonly #dir: string
  readonly #undone: JobHeader
  #known: Promise<ReadonlyMap<string, number>> | undefined

  constructor(dir: string, undone: JobHeader) {
    this.#dir = dir
    this.#undone = undone
  }

  /** The version that a customer counts as, to be compared with the one that was left. */
  async of({id, version}: Customer, left: number | undefined): Promise<number> {
    if (version === left) return version
    this.#known ??= this.#read()
    const known = await this.#known
    let at = version
    for (let back = known.get(`${id} ${at}`); back !== undefined && at !== left; back = known.get(`${id} ${at}`))
      at = back
    return at
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const {job} = this.#undone
    const known = new Map<string, number>()
    const paths = [
      ...(await jobNames(this.#dir)).filter((name) => name > job).map((name) => journalPath(this.#dir, name)),
      ...changeNames(this.#dir)
        .filter((name) => name > job)
        .map((name) => join(this.#dir, name)),
    ]
    for (const path of paths) {
      for await (const {line} of readJournal(path)) {
        if ('files' in line && !isUndo(line, this.#undone)) break
        if (!('row' in line) || line.outcome !== 'restored') continue
        const {id, version, back} = line
        if (id !== undefined && version !== undefined && back !== undefined) known.set(`${id} ${version}`, back)
      }
    }
    return known
  }
}

const isUndo = ({options, ...header}: JobHeader, undone: JobHeader): boolean =>
  ('undoOf' in options || options['change'] === 'undo') && isSamePlace(placeOfRun(header), placeOfRun(undone))
