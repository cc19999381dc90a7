import {mkdtempSync, readdirSync, rmSync, unlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {numberOf} from '../../src/store/lowdb/folder/chain.js'

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

/** The files of documents of a project in a state, the newest first. */
export function documentFiles(dir: string, project = 'shop'): string[] {
  const names = readdirSync(join(dir, project)).filter((name) => numberOf(name) > 0)
  names.sort((one, other) => numberOf(other) - numberOf(one))
  return names.map((name) => join(dir, project, name))
}

/** The newest file of documents. */
export const documentFile = (dir: string, project?: string): string => documentFiles(dir, project)[0] as string

export function loseFiles(dir: string): void {
  for (const path of documentFiles(dir)) unlinkSync(path)
}
