import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Source, SourceOptions} from '../../src/transfer/input/row.js'
import {openSources} from '../../src/transfer/input/source.js'

/** A folder for the tests of one file, gone when they are done. */
export function scratch() {
  const dir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  after(() => rmSync(dir, {recursive: true, force: true}))
  let count = 0
  const write = (name: string, content: string | Uint8Array): string => {
    count += 1
    const path = join(dir, `${count}-${name}`)
    writeFileSync(path, content)
    return path
  }
  return {
    dir,
    path: (name: string) => join(dir, name),
    write,
    read: (path: string) => readFileSync(path, 'utf8'),
    reopened: async (path: string): Promise<readonly Source[]> => (await openSources([path])).list,
    source: async (name: string, content: string | Uint8Array, options?: SourceOptions): Promise<readonly Source[]> =>
      (await openSources([write(name, content)], options)).list,
  }
}

/** What a promise rejects with. */
export async function failureOf<E extends Error = Error>(promise: Promise<unknown>): Promise<E> {
  try {
    await promise
  } catch (error) {
    return error as E
  }
  throw new Error('it did not fail')
}

/** What comes in pieces, one by one. */
export async function inOne<T>(pieces: AsyncIterable<Iterable<T>>): Promise<T[]> {
  const list: T[] = []
  for await (const piece of pieces) list.push(...piece)
  return list
}

export async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}
