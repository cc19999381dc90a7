import {type Connections, NotRun, type Row, type Run, type Statement} from './connection/connections.js'
import {isLost} from './connection/faults.js'
import {textArray} from './connection/wire-values.js'
import {findDocuments, getDocument, getDocuments, readUniqueKey} from './schema/statements.js'
import {storable} from './schema/text-form.js'
import {Semaphore} from './semaphore.js'

/** Maximum number of documents in one statement. */
const mostPlaces = 500
/** Rows that the queries of one trip may read: whoever shares it waits for all of them. */
const mostRows = 100
/** Round trips at the same time. What comes meanwhile waits, and shares the next one. */
const mostTrips = 2

type Place = readonly [project: string, kind: string, name: string]

/** The text of a document; undefined if there is none. */
type Column = string | undefined

class Lookup {
  readonly place: Place
  readonly answer: Promise<Column>
  resolve: (column: Column) => void = () => undefined
  reject: (error: unknown) => void = () => undefined

  constructor(place: Place) {
    this.place = place
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

type Waiting = Map<string, Lookup>

interface Query extends Reading {
  readonly rows: number
}

/**
 * Reads documents by id or unique key, and runs queries that are over soon. All that are asked for in one turn of the event
 * loop, by whichever requests, share a round trip: a statement for the ids, one for the keys, and those of the queries.
 */
export class Lookups {
  readonly #connections: Shared
  readonly #ids: Waiting = new Map()
  readonly #keys: Waiting = new Map()
  readonly #queries: Query[] = []
  readonly #places: Semaphore

  constructor(connections: Shared, slowMs?: number) {
    this.#connections = connections
    this.#places = new Semaphore(mostTrips, () => this.#start(), slowMs)
  }

  get(...place: Place): Promise<Column> {
    return this.#ask(this.#ids, place)
  }

  find(...place: Place): Promise<Column> {
    return this.#ask(this.#keys, place)
  }

  /** `work` runs statements, none of which needs the answer of another and which together read no more than `rows`. */
  query<T>(rows: number, work: (run: Run) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queries.push({...reading(work, resolve, reject), rows})
      this.#places.soon()
    })
  }

  #ask(waiting: Waiting, place: Place): Promise<Column> {
    const name = place.join('\0')
    const asked = waiting.get(name)
    if (asked) return asked.answer
    const lookup = new Lookup(place)
    waiting.set(name, lookup)
    this.#places.soon()
    return lookup.answer
  }

  #start(): void {
    while (this.#ids.size + this.#keys.size + this.#queries.length > 0) {
      const over = this.#places.take()
      if (!over) return
      const {byId, byKey} = this.#connections.isDistributed ? oneByOne : together
      const lookups = [lookedUp(byId, taken(this.#ids)), lookedUp(byKey, taken(this.#keys))]
      // Look-ups first: they are over sooner than any query.
      void sharedTrip(this.#connections, [...lookups.flat(), ...takenQueries(this.#queries)]).finally(over)
    }
  }
}

/** Removes those that the next statement asks for. */
function taken(waiting: Waiting): Lookup[] {
  const lookups: Lookup[] = []
  for (const [name, lookup] of waiting) {
    if (lookups.length === mostPlaces) break
    waiting.delete(name)
    lookups.push(lookup)
  }
  return lookups
}

/** Removes those that the next trip runs, one at the least. */
function takenQueries(waiting: Query[]): Query[] {
  let rows = 0
  const end = waiting.findIndex((query, at) => {
    rows += query.rows
    return at > 0 && rows > mostRows
  })
  return waiting.splice(0, end < 0 ? waiting.length : end)
}

/** Reads the documents at places, each as storable texts; a row for each, in their order. */
type Reader = (run: Run, places: readonly (readonly string[])[]) => Promise<readonly Row[]>

/** One statement for all: columns in place of rows. */
const inColumns =
  (statement: Statement): Reader =>
  async (run, places) =>
    (
      await run(
        statement,
        [0, 1, 2].map((at) => textArray(places.map((place) => place[at] ?? ''))),
      )
    ).rows

const together = {byId: inColumns(getDocuments), byKey: inColumns(findDocuments)}

const eachById: Reader = (run, places) =>
  Promise.all(places.map(async (place) => (await run(getDocument, place)).rows[0] ?? [null]))

/** A statement for each, which names its row, and with it the node that has it. */
const oneByOne: typeof together = {
  byId: eachById,
  byKey: async (run, places) => {
    const keys = await Promise.all(places.map((place) => run(readUniqueKey, place)))
    const holders = keys.map(({rows}) => rows[0]?.[2] ?? undefined)
    const held = places.flatMap(([project = '', kind = ''], at) => {
      const holder = holders[at]
      return holder === undefined ? [] : [[project, kind, holder]]
    })
    const rows = (await eachById(run, held)).values()
    return holders.map((holder) => (holder === undefined ? [null] : (rows.next().value as Row)))
  },
}

/** One reading for all look-ups; nothing for none. */
function lookedUp(read: Reader, lookups: readonly Lookup[]): Reading[] {
  if (lookups.length === 0) return []
  const places = lookups.map(({place}) => place.map(storable))
  const work = (run: Run): Promise<readonly Row[]> => read(run, places)
  const found = (rows: readonly Row[]): void => {
    for (const [at, {resolve}] of lookups.entries()) resolve(rows[at]?.[0] ?? undefined)
  }
  const failed = (error: unknown): void => {
    for (const {reject} of lookups) reject(error)
  }
  return [reading(work, found, failed)]
}

/** Statements of one request, none of which needs the answer of another, and who waits for what they find. */
interface Reading {
  readonly work: (run: Run) => Promise<() => void>
  reject(error: unknown): void
}

/** How trips are made, and readings that are repeated alone. */
export type Shared = Pick<Connections, 'pipelining' | 'reading' | 'isDistributed'>

/** A reading that calls `found` with what `work` finds. */
const reading = <T>(
  work: (run: Run) => Promise<T>,
  found: (answer: T) => void,
  reject: (error: unknown) => void,
): Reading => ({
  work: async (run) => {
    const answer = await work(run)
    return () => found(answer)
  },
  reject,
})

/**
 * Runs all readings in one round trip. Whoever fails, fails alone: those behind are not run by the database, and run once
 * more each for itself. Resolves when the trip is over, and never rejects.
 */
async function sharedTrip(connections: Shared, readings: readonly Reading[]): Promise<void> {
  let ends: readonly PromiseSettledResult<() => void>[]
  try {
    ends = await connections.pipelining((run) => inOneTrip(run, readings))
  } catch (error) {
    for (const {reject} of readings) reject(error)
    return
  }
  for (const [at, end] of ends.entries()) {
    const one = readings[at] as Reading
    if (end.status === 'fulfilled') end.value()
    else if (end.reason instanceof NotRun) void alone(connections, one)
    else one.reject(end.reason)
  }
}

/** Throws if the connection was lost, so that the trip is made once more. */
async function inOneTrip(run: Run, readings: readonly Reading[]): Promise<PromiseSettledResult<() => void>[]> {
  const ends = await Promise.allSettled(readings.map(({work}) => work(run)))
  const lost = ends.find((end) => end.status === 'rejected' && isLost(end.reason))
  if (lost?.status === 'rejected') throw lost.reason
  return ends
}

const alone = (connections: Shared, {work, reject}: Reading): Promise<void> =>
  connections.reading(work).then((found) => found(), reject)
