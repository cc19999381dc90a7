import fs from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {relative, sep} from 'node:path'

/** Where a machine keeps records of what was done at targets, below its folder. */
const records = /^(data\/_(?:audit|jobs|files|since)|cache\/sessions)(?:\/|$)/

/** Commands that read records, and what `two-places.test.ts` asks of each (decision 68). */
export const recordReaders: Readonly<Record<string, string>> = {
  'audit list': 'audit list --target',
  'customers copy':
    'takes no import of the first for one of the second: hashes, fingerprints and erasures are of a place',
  'customers diff':
    'takes no import of the first for one of the second: hashes, fingerprints and erasures are of a place',
  'customers dossier': 'customers dossier',
  'customers export': 'customers export --since last',
  'customers history': 'customers history',
  'customers import':
    'takes no import of the first for one of the second: hashes, fingerprints and erasures are of a place',
  'jobs list': 'jobs list',
  'jobs show': 'shows a job of any place, and names its own',
  'token introspect': 'a saved session',
  'token list': 'lists the saved sessions of the machine, each with its place',
  'token refresh': 'a saved session',
  'token revoke': 'a saved session to revoke',
  undo: 'undo of a job',
}

/** Runs `task`, and returns the folders of records of which it opened something to read. */
export async function recordReads<T>(folder: string, task: () => Promise<T>): Promise<{reads: string[]; result: T}> {
  const reads = new Set<string>()
  const heard = (path: unknown): void => {
    const [, place] = records.exec(relative(folder, String(path)).split(sep).join('/')) ?? []
    if (place) reads.add(place)
  }
  const before = {openSync: fs.openSync, readFileSync: fs.readFileSync, readdirSync: fs.readdirSync}
  const {open, readFile, readdir} = fs.promises
  const hearing = <F extends (...given: never[]) => unknown>(call: F): F =>
    ((...given: never[]) => {
      const [path, flags] = given as unknown[]
      // What only appends reads nothing.
      if (typeof flags !== 'number' || (flags & 3) === 0) heard(path)
      return call(...given)
    }) as F
  for (const [name, call] of Object.entries(before)) Object.assign(fs, {[name]: hearing(call as never)})
  Object.assign(fs.promises, {open: hearing(open), readFile: hearing(readFile), readdir: hearing(readdir)})
  syncBuiltinESMExports()
  try {
    return {result: await task(), reads: [...reads].sort()}
  } finally {
    Object.assign(fs, before)
    Object.assign(fs.promises, {open, readFile, readdir})
    syncBuiltinESMExports()
  }
}
