import {type Connections, NotRun, type Run, type Statement} from './connection/connections.js'
import {isLost} from './connection/faults.js'
import {findDocument, getDocument, readUniqueKey} from './schema/statements.js'
import {storable} from './schema/text-form.js'
import {Semaphore} from './semaphore.js'

/** Maximum number of look-ups in one trip. */
const mostLookups = 500
/** Rows that the queries of one trip may read: whoever shares it waits for all of them. */
const mostRows = 100
/** Round trips at the same time. What comes meanwhile waits, and shares the next one. */
const mostTrips = 2

export type Place = readonly [project: string, kind: string, name: string]

/** The text of a document; undefined if there is none. */
type Column = string | undefined

/** How trips are made, and readings that are repeated alone. */
type Shared = Pick<Connections, 'reading' | 'isDistributed'>

/** Statements of one request, none of which waits for another request, and what they find. */
class Reading<T> {
  readonly work: (run: Run) => Promise<T>
  readonly rows: number
  readonly answer: Promise<T>
  resolve: (found: T) => void = () => undefined
  reject: (error: unknown) => void = () => undefined

  constructor(work: (run: Run) => Promise<T>, rows: number) {
    this.work = work
    this.rows = rows
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

/**
 * Reads documents by id or unique key, and runs queries that are over soon. All that are asked for in one turn of the event
 * loop, by whichever requests, share a round trip.
 */
export class Lookups {
  readonly #connections: Shared
  /** By statement and place: requests that ask for the same share the answer. */
  readonly #lookups = new Map<string, Reading<Column>>()
  readonly #queries: Reading<unknown>[] = []
  readonly #places: Semaphore

  constructor(connections: Shared, slowMs?: number) {
    this.#connections = connections
    this.#places = new Semaphore(mostTrips, () => this.#start(), slowMs)
  }

  get(...place: Place): Promise<Column> {
    return this.#lookUp('id', place, documentAt)
  }

  find(...place: Place): Promise<Column> {
    return this.#lookUp('key', place, this.#connections.isDistributed ? holderOnItsNode : holderOf)
  }

  /** `work` runs statements that together read no more than `rows`. */
  query<T>(rows: number, work: (run: Run) => Promise<T>): Promise<T> {
    const query = new Reading(work, rows)
    this.#queries.push(query as Reading<unknown>)
    this.#places.soon()
    return query.answer
  }

  #lookUp(by: string, place: Place, read: (run: Run, place: readonly string[]) => Promise<Column>): Promise<Column> {
    const name = [by, ...place].join('\0')
    const asked = this.#lookups.get(name)
    if (asked) return asked.answer
    const lookup = new Reading((run) => read(run, place.map(storable)), 1)
    this.#lookups.set(name, lookup)
    this.#places.soon()
    return lookup.answer
  }

  #start(): void {
    while (this.#lookups.size + this.#queries.length > 0) {
      const over = this.#places.take()
      if (!over) return
      // Look-ups first: they are over sooner than any query.
      void this.#trip([...this.#takenLookups(), ...this.#takenQueries()]).finally(over)
    }
  }

  #takenLookups(): Reading<unknown>[] {
    const taken = [...this.#lookups].slice(0, mostLookups)
    for (const [name] of taken) this.#lookups.delete(name)
    return taken.map(([, lookup]) => lookup as Reading<unknown>)
  }

  /** Removes those that the next trip runs, one at the least. */
  #takenQueries(): Reading<unknown>[] {
    let rows = 0
    const end = this.#queries.findIndex((query, at) => {
      rows += query.rows
      return at > 0 && rows > mostRows
    })
    return this.#queries.splice(0, end < 0 ? this.#queries.length : end)
  }

  /**
   * Runs all readings in one round trip. Whoever fails, fails alone: those behind are not run by the database, and run
   * once more each for itself. Resolves when the trip is over, and never rejects.
   */
  async #trip(readings: readonly Reading<unknown>[]): Promise<void> {
    try {
      const ends = await this.#connections.reading((run) => inOneTrip(run, readings))
      for (const [at, {work, resolve, reject}] of readings.entries()) {
        const end = ends[at]
        if (end?.status === 'fulfilled') resolve(end.value)
        else if (end?.reason instanceof NotRun) void this.#connections.reading(work).then(resolve, reject)
        else reject(end?.reason)
      }
    } catch (error) {
      for (const {reject} of readings) reject(error)
    }
  }
}

/** Throws if the connection was lost, so that the trip is made once more. */
async function inOneTrip(run: Run, readings: readonly Reading<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const ends = await Promise.allSettled(readings.map(({work}) => work(run)))
  const lost = ends.find((end) => end.status === 'rejected' && isLost(end.reason))
  if (lost?.status === 'rejected') throw lost.reason
  return ends
}

const readBy =
  (statement: Statement) =>
  async (run: Run, place: readonly string[]): Promise<Column> =>
    (await run(statement, place)).rows[0]?.[0] ?? undefined

const documentAt = readBy(getDocument)
const holderOf = readBy(findDocument)

/** A statement for the key and one for its holder: each names its row, and with it the node that has it. */
async function holderOnItsNode(run: Run, [project = '', kind = '', key = '']: readonly string[]): Promise<Column> {
  const holder = (await run(readUniqueKey, [project, kind, key])).rows[0]?.[2]
  return typeof holder === 'string' ? documentAt(run, [project, kind, holder]) : undefined
}
