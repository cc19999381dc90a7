import {mkdtemp, open, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {linesOf} from '../jobs/lines.js'
import {TextFile} from './text-file.js'

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
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-spool-'))
  const path = join(dir, 'documents.jsonl')
  const file = new TextFile(await open(path, 'wx', 0o600))
  return {
    path,
    add: (document) => file.write(`${JSON.stringify(document)}\n`),
    close: () => file.flush(),
    async *documents() {
      for await (const {text} of linesOf(path)) yield JSON.parse(text) as object
    },
    dispose: async () => {
      await file.handle.close()
      await rm(dir, {recursive: true, force: true})
    },
  }
}
