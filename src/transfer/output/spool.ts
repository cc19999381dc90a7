import {createReadStream} from 'node:fs'
import {mkdtemp, open, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

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

const flushAt = 1 << 16

export async function openSpool(name = 'documents.jsonl'): Promise<Spool> {
  const dir = await mkdtemp(join(tmpdir(), 'frontdesk-spool-'))
  const path = join(dir, name)
  const file = await open(path, 'wx', 0o600)
  let pending = ''
  let writable = true
  const flush = async (): Promise<void> => {
    const text = pending
    pending = ''
    if (text !== '') await file.writeFile(text)
  }
  const close = async (): Promise<void> => {
    if (!writable) return
    writable = false
    try {
      await flush()
    } finally {
      await file.close()
    }
  }
  return {
    path,
    close,
    add: async (document) => {
      pending += `${JSON.stringify(document)}\n`
      if (pending.length >= flushAt) await flush()
    },
    async *documents() {
      for await (const line of linesOf(path)) yield JSON.parse(line) as object
    },
    dispose: async () => {
      await close().catch(() => undefined)
      await rm(dir, {recursive: true, force: true})
    },
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
