import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Files, pooledFiles} from '../../../../src/store/lowdb/file/files.js'
import {Journal} from '../../../../src/store/lowdb/folder/journal.js'
import {Entry} from '../../../../src/store/lowdb/line/entry.js'
import {replayFile} from '../../../../src/store/lowdb/line/replay.js'
import {newDirectory} from '../../directory.js'

/** A commit of some bytes. */
export function commit(id: string, bytes = 0): readonly Entry[] {
  const head = {kind: 'things', id, version: 1, expect: 0, uniqueKeys: [], facets: []}
  return [Entry.of(head, JSON.stringify({id, version: 1, text: 'x'.repeat(bytes)}))]
}

export const noFault = (_length: number): string | undefined => undefined

/** A journal in a new file, whose calls are counted and fail on demand. */
export class Subject {
  path = join(newDirectory(), 'journal.1.jsonl')
  readonly writes: number[] = []
  syncs = 0
  truncates = 0
  cannotTruncate = false
  fault = noFault
  readonly #files: Files = {
    ...pooledFiles,
    write: (fd, buffer, offset, length, position) => {
      const code = this.fault(length)
      if (code) throw Object.assign(new Error(code), {code})
      this.writes.push(length)
      return pooledFiles.write(fd, buffer, offset, length, position)
    },
    sync: (fd) => {
      this.syncs += 1
      return pooledFiles.sync(fd)
    },
    truncate: (fd, length) => {
      if (this.cannotTruncate) throw new Error('EIO')
      this.truncates += 1
      return pooledFiles.truncate(fd, length)
    },
  }

  newFile(): Promise<number> {
    return Promise.resolve(this.#files.open(this.path, 'create'))
  }

  async open(isCommand = false): Promise<Journal> {
    const never = (error: Error): void => expect.fail(error.message)
    const fd = await this.newFile()
    const lease = {fence: () => {}, fatal: never, isCommand, nonce: 'n'}
    return new Journal({...lease, files: this.#files, fd, last: 0, onAppended: () => {}})
  }

  get content(): string {
    return readFileSync(this.path, 'latin1')
  }

  async ids(): Promise<string[]> {
    const ids: string[] = []
    await replayFile(pooledFiles, {path: this.path, first: 1}, (entries) => ids.push(...entries.map(({id}) => id)))
    return ids
  }
}
