import {join} from 'node:path'
import {appendable} from '../../files/private-handle.js'
import {removeScratch, scratchFolder} from '../../files/scratch.js'
import {linesOf} from './lines.js'
import {TextFile} from './private-file.js'

/** Documents parked on the disk, one a line, readable by nobody else; as many as there are in the memory of one. */
export async function openSpool() {
  const dir = scratchFolder('spool')
  const path = join(dir, 'documents.jsonl')
  const file = new TextFile(await appendable(path))
  return {
    path,
    add: (document: object): Promise<void> => file.write(`${JSON.stringify(document)}\n`),
    /** Ends adding. */
    close: (): Promise<void> => file.flush(),
    async *documents(): AsyncGenerator<object> {
      for await (const {text} of linesOf(path)) yield JSON.parse(text) as object
    },
    async dispose(): Promise<void> {
      await file.handle.close()
      removeScratch(dir)
    },
  }
}
