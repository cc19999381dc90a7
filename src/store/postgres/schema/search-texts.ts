import type {Document, SearchTexts} from '../../store.js'
import type {Connections} from '../connection/connections.js'
import {searchTextsOf} from '../documents.js'
import {fromStored, restored} from './text-form.js'

/** Documents whose rows are locked at once while their texts are made. */
const partRows = 500

const part = `SELECT id FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT ${partRows}`
const locked = 'SELECT id, doc FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id = $3 FOR UPDATE'

/** Makes the search texts of documents that were stored by a release without them, or with others. */
export async function deriveSearchTexts(
  connections: Connections,
  searchTexts: SearchTexts,
  present: ReadonlySet<string>,
): Promise<void> {
  const {read} = connections
  for (const [kind, {version}] of Object.entries(searchTexts)) {
    const mark = `search ${kind} ${version}`
    if (present.has(mark)) continue
    const {rows} = await read({text: 'SELECT DISTINCT project FROM frontdesk.tally WHERE kind = $1'}, [kind])
    for (const [project] of rows) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const from: string = after
        after = await connections.transaction(false, async (transaction) => {
          const {run} = transaction
          const found = (await run({text: part}, [project, kind, from])).rows
          const held = await Promise.all(found.map(([id]) => run({text: locked}, [project, kind, id])))
          const changes = held
            .flatMap(({rows}) => rows)
            .map(([id, doc]) => {
              const document = {...(fromStored(doc ?? '') as Document), id: restored(id ?? '')}
              return {kind, expect: document.version, doc: document}
            })
          await Promise.all(searchTextsOf(transaction, project ?? '', changes, searchTexts))
          return found.at(-1)?.[0] ?? undefined
        })
      }
    }
    await read({text: 'INSERT INTO frontdesk.migration (name) VALUES ($1) ON CONFLICT (name) DO NOTHING'}, [mark])
  }
}
