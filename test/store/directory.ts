import {mkdtempSync, readdirSync, rmSync, unlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {manifestGeneration} from '../../src/store/lowdb/file/manifest.js'

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

/** The manifests of a project in a state, the newest first. */
function manifestsIn(dir: string, project = 'shop'): string[] {
  const names = readdirSync(join(dir, project)).filter((name) => manifestGeneration(name) > 0)
  names.sort((one, other) => manifestGeneration(other) - manifestGeneration(one))
  return names.map((name) => join(dir, project, name))
}

export const manifestIn = (dir: string, project?: string): string => manifestsIn(dir, project)[0] as string

export function loseManifests(dir: string): void {
  for (const path of manifestsIn(dir)) unlinkSync(path)
}
