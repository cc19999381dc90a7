import type {Document} from '../store.js'
import type {Connections, Row} from './connection/connections.js'
import {Places} from './connection/places.js'
import {textArray} from './connection/wire-values.js'
import {frozenDocument} from './frozen-document.js'
import {findDocuments, getDocuments, type Statement} from './schema/statements.js'
import {storable} from './schema/text-form.js'

/** Maximum number of documents in one statement. */
const mostPlaces = 500
/** Round trips at the same time. What comes meanwhile waits, and shares the next one. */
const mostTrips = 2

type Place = readonly [project: string, kind: string, name: string]

class Lookup {
  readonly place: Place
  readonly answer: Promise<Document | undefined>
  resolve: (document: Document | undefined) => void = () => undefined
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

/**
 * Reads documents by id or unique key. All that are asked for in one turn of the event loop, by whichever requests, share
 * a round trip: a statement for the ids and one for the keys.
 */
export class Lookups {
  readonly #connections: Pick<Connections, 'reading'>
  readonly #ids: Waiting = new Map()
  readonly #keys: Waiting = new Map()
  readonly #places: Places
  #isDue = false

  constructor(connections: Pick<Connections, 'reading'>, slowMs?: number) {
    this.#connections = connections
    this.#places = new Places(mostTrips, () => this.#start(), slowMs)
  }

  get(...place: Place): Promise<Document | undefined> {
    return this.#ask(this.#ids, place)
  }

  find(...place: Place): Promise<Document | undefined> {
    return this.#ask(this.#keys, place)
  }

  #ask(waiting: Waiting, place: Place): Promise<Document | undefined> {
    const name = place.join('\0')
    const asked = waiting.get(name)
    if (asked) return asked.answer
    const lookup = new Lookup(place)
    waiting.set(name, lookup)
    if (!this.#isDue) {
      this.#isDue = true
      setImmediate(() => {
        this.#isDue = false
        this.#start()
      })
    }
    return lookup.answer
  }

  #start(): void {
    while (this.#ids.size + this.#keys.size > 0) {
      const over = this.#places.take()
      if (!over) return
      void this.#answer(taken(this.#ids), taken(this.#keys)).finally(over)
    }
  }

  /** Never rejects. */
  async #answer(ids: readonly Lookup[], keys: readonly Lookup[]): Promise<void> {
    try {
      const [ofIds, ofKeys] = await this.#connections.reading((run) => {
        const rowsOf = async (statement: Statement, lookups: readonly Lookup[]): Promise<readonly Row[]> => {
          if (lookups.length === 0) return []
          const columns = [0, 1, 2].map((at) => textArray(lookups.map(({place}) => storable(place[at] ?? ''))))
          return (await run(statement, columns)).rows
        }
        return Promise.all([rowsOf(getDocuments, ids), rowsOf(findDocuments, keys)])
      })
      for (const [at, lookup] of ids.entries()) lookup.resolve(documentOf(ofIds[at]))
      for (const [at, lookup] of keys.entries()) lookup.resolve(documentOf(ofKeys[at]))
    } catch (error) {
      for (const {reject} of [...ids, ...keys]) reject(error)
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

const documentOf = ([text = null]: Row = []): Document | undefined => (text === null ? undefined : frozenDocument(text))
