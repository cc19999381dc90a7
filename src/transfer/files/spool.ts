import {join} from 'node:path'
import {appendable} from '../../files/private-handle.js'
import {removeScratch, scratchFolder} from '../../files/scratch.js'
import {linesOf} from './lines.js'
import {TextFile} from './private-file.js'

/** Documents parked on the disk, one a line, readable by nobody else; as many as there are in the memory of one. */
export interface Spool {
  readonly path: string
  add(document: object): Promise<void>
  /** Ends adding. */
  close(): Promise<void>
  documents(): AsyncGenerator<object>
  /** Removes everything. */
  dispose(): Promise<void>
}

export async function openSpool(): Promise<Spool> {
  const dir = scratchFolder('spool')
  const path = join(dir, 'documents.jsonl')
  const file = new TextFile(await appendable(path))
  return {
    path,
    add: (document) => file.write(`${JSON.stringify(document)}\n`),
    close: () => file.flush(),
    async *documents() {
      for await (const {text} of linesOf(path)) yield JSON.parse(text) as object
    },
    dispose: async () => {
      await file.handle.close()
      removeScratch(dir)
    },
  }
}
