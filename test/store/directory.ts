import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

const made: string[] = []

/** A new private directory; `removeDirectories` belongs into the `after` of the file that asks for it. */
export function newDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'frontdesk-store-'))
  made.push(path)
  return path
}

export function removeDirectories(): void {
  for (const path of made.splice(0)) rmSync(path, {recursive: true, force: true})
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}
