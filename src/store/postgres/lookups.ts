import type {Connections, Run, Statement} from './connection/connections.js'
import {findDocument, getDocument, readUniqueKey} from './schema/statements.js'
import {storable} from './schema/text-form.js'
import {Semaphore} from './semaphore.js'

/** Maximum number of look-ups in one trip. */
const mostLookups = 500
/** Trips at the same time. What comes meanwhile waits, and shares the next one. */
const mostTrips = 2

export type Place = readonly [project: string, kind: string, name: string]

/** The text of a document; undefined if there is none. */
type Column = string | undefined

interface Lookup {
  readonly read: (run: Run, place: readonly string[]) => Promise<Column>
  readonly place: Place
  resolve(column: Column): void
  reject(error: unknown): void
}

/**
 * Reads documents by id or unique key. Requests that come together, or while others are under way, share a connection, and
 * those that ask for the same share the answer: alone, each would cost more than twice the CPU.
 */
export class Lookups {
  readonly #connections: Pick<Connections, 'reading' | 'isDistributed'>
  readonly #waiting = new Map<string, Lookup>()
  readonly #answers = new Map<string, Promise<Column>>()
  readonly #places: Semaphore

  constructor(connections: Pick<Connections, 'reading' | 'isDistributed'>, slowMs?: number) {
    this.#connections = connections
    this.#places = new Semaphore(mostTrips, () => this.#start(), slowMs)
  }

  get(...place: Place): Promise<Column> {
    return this.#lookUp('id', place, documentAt)
  }

  find(...place: Place): Promise<Column> {
    return this.#lookUp('key', place, this.#connections.isDistributed ? holderOnItsNode : holderOf)
  }

  #lookUp(by: string, place: Place, read: Lookup['read']): Promise<Column> {
    const name = [by, ...place].join('\0')
    const asked = this.#answers.get(name)
    if (asked) return asked
    const answer = new Promise<Column>((resolve, reject) => this.#waiting.set(name, {read, place, resolve, reject}))
    this.#answers.set(name, answer)
    this.#places.soon()
    return answer
  }

  #start(): void {
    while (this.#waiting.size > 0) {
      const over = this.#places.take()
      if (!over) return
      const taken = [...this.#waiting].slice(0, mostLookups)
      for (const [name] of taken) {
        this.#waiting.delete(name)
        this.#answers.delete(name)
      }
      void this.#run(taken.map(([, lookup]) => lookup)).finally(over)
    }
  }

  /** Never rejects. */
  async #run(lookups: readonly Lookup[]): Promise<void> {
    try {
      const columns = await this.#connections.reading((run) =>
        Promise.all(lookups.map(({read, place}) => read(run, place.map(storable)))),
      )
      for (const [at, {resolve}] of lookups.entries()) resolve(columns[at])
    } catch (error) {
      for (const {reject} of lookups) reject(error)
    }
  }
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
