import type {Document} from '../store.js'
import type {Run} from './connection/connections.js'
import {frozenDocument} from './frozen-document.js'
import {getDocument, getDocuments} from './schema/statements.js'
import {restored, storable} from './schema/text-form.js'

type Documents = ReadonlyMap<string, Document>

interface Batch {
  readonly ids: Set<string>
  readonly documents: Promise<Documents>
}

/** Maximum number of ids in one statement. */
const maxIds = 500

/** Reads documents by id; reads of the same turn of the event loop share one statement. */
export class BatchedGets {
  readonly #run: Run
  readonly #batches = new Map<string, Batch>()

  constructor(run: Run) {
    this.#run = run
  }

  async get(project: string, kind: string, id: string): Promise<Document | undefined> {
    const place = `${project}\0${kind}`
    let batch = this.#batches.get(place)
    if (!batch || batch.ids.size >= maxIds) {
      const ids = new Set<string>()
      batch = {ids, documents: this.#later(place, project, kind, ids)}
      this.#batches.set(place, batch)
    }
    batch.ids.add(id)
    return (await batch.documents).get(id)
  }

  #later(place: string, project: string, kind: string, ids: Set<string>): Promise<Documents> {
    return new Promise((resolve, reject) => {
      process.nextTick(() => {
        if (this.#batches.get(place)?.ids === ids) this.#batches.delete(place)
        this.#ask(project, kind, ids).then(resolve, reject)
      })
    })
  }

  async #ask(project: string, kind: string, ids: ReadonlySet<string>): Promise<Documents> {
    const place = [storable(project), storable(kind)]
    const wanted = [...ids].map(storable)
    const {rows} = await (wanted.length === 1
      ? this.#run(getDocument, [...place, wanted[0]])
      : this.#run(getDocuments, [...place, wanted]))
    return new Map(
      rows.flatMap(([id, doc]) =>
        doc === null || doc === undefined ? [] : [[restored(id ?? ''), frozenDocument(doc)]],
      ),
    )
  }
}
