import type {Connections, Run, Statement} from './connection/connections.js'
import {isLost} from './connection/faults.js'
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

interface Waiting {
  /** By which others who ask for the same find it. */
  readonly name: string | undefined
  /** Rejects only if the connection was lost: then it is repeated. */
  readonly work: (run: Run) => Promise<void>
  reject(error: unknown): void
}

/**
 * Reads documents by id or unique key. Requests that come together, or while others are under way, share a connection, and
 * those that ask for the same share the answer: alone, each would cost more than twice the CPU. Other short reads may
 * share the connection.
 */
export class Lookups {
  readonly #connections: Pick<Connections, 'reading' | 'isDistributed'>
  #waiting: Waiting[] = []
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

  #lookUp(by: string, place: Place, read: (run: Run, place: readonly string[]) => Promise<Column>): Promise<Column> {
    const name = [by, ...place].join('\0')
    const asked = this.#answers.get(name)
    if (asked) return asked
    const answer = this.beside((run) => read(run, place.map(storable)), name)
    this.#answers.set(name, answer)
    return answer
  }

  /** Runs a short read on the connection that others share. */
  beside<T>(read: (run: Run) => Promise<T>, name?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const work = (run: Run): Promise<void> =>
        read(run).then(resolve, (error: unknown) => {
          if (isLost(error)) throw error
          reject(error)
        })
      this.#waiting.push({name, work, reject})
      this.#places.soon()
    })
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      const over = this.#places.take()
      if (!over) return
      const taken = this.#waiting.splice(0, mostLookups)
      for (const {name} of taken) if (name !== undefined) this.#answers.delete(name)
      void this.#run(taken).finally(over)
    }
  }

  /** Never rejects. */
  async #run(taken: readonly Waiting[]): Promise<void> {
    try {
      await this.#connections.reading((run) => Promise.all(taken.map(({work}) => work(run))))
    } catch (error) {
      for (const {reject} of taken) reject(error)
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
