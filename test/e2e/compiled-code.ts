import {chmodSync, copyFileSync, mkdirSync, readdirSync, renameSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** What V8 compiled of the built command, from one sandbox to the next: each has a cache of its own, and would begin anew. */

const kept = fileURLToPath(new URL('../../node_modules/.cache/frontdesk-tests/compiled', import.meta.url))
const compiledIn = (cache: string): string => join(cache, 'frontdesk', 'compiled')

function files(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.code'))
  } catch {
    return []
  }
}

const sizeOf = (path: string): number => statSync(path, {throwIfNoEntry: false})?.size ?? 0

/** Copies into a new cache what earlier sandboxes have learned. */
export function giveCompiledCode(cache: string): void {
  const folder = compiledIn(cache)
  mkdirSync(folder, {recursive: true, mode: 0o700})
  for (const name of files(kept)) {
    copyFileSync(join(kept, name), join(folder, name))
    chmodSync(join(folder, name), 0o600)
  }
}

/** Keeps what a sandbox has learned beyond that. */
export function keepCompiledCode(cache: string): void {
  const folder = compiledIn(cache)
  mkdirSync(kept, {recursive: true})
  for (const name of files(folder)) {
    const [from, to] = [join(folder, name), join(kept, name)]
    if (sizeOf(from) <= sizeOf(to)) continue
    copyFileSync(from, `${to}.${process.pid}`)
    renameSync(`${to}.${process.pid}`, to)
  }
}
