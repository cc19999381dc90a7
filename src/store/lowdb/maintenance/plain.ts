import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {asStateError} from '../../../files/file-errors.js'
import type {OpenedStore} from '../../opened-store.js'
import type {Change, Document} from '../../store.js'
import {Cache} from '../format/cache.js'
import type {Entry} from '../format/entry.js'
import {blockingFiles as files, writeAll} from '../format/files.js'
import {uniqueKeyOf, uniqueKeyText} from '../format/record.js'
import {load} from '../journal/load.js'
import type {State} from '../memory/state.js'

/** Maximum number of documents in one file; larger projects use seeds and imports, which stream. */
const maxDocuments = 250_000
const uniqueKeysMember = '$claims'
const batchSize = 500
const chunkChars = 1 << 20

/**
 * Writes a project as the `db.json` of lowdb's own file adapter: an array of documents for each kind. `$claims` beside
 * them holds for each kind the unique keys by id. Returns how many documents there are.
 */
export async function exportPlain(dir: string, project: string, target: string): Promise<number> {
  const directory = join(dir, project)
  try {
    const loaded = await load(directory, {files, facets: {}, cache: new Cache<Entry>(0), writes: () => false})
    if (!loaded) throw unusable(`There is no project ${project} in ${dir}.`, directory, 'Check its name.')
    return await writePlain(loaded.state, target)
  } catch (error) {
    throw asStateError(error, directory)
  }
}

async function writePlain(state: State, target: string): Promise<number> {
  const kinds = [...state.collections].filter(([, {size}]) => size > 0)
  const count = kinds.reduce((sum, [, {size}]) => sum + size, 0)
  if (count > maxDocuments) {
    const message = `A plain file holds at most ${maxDocuments} documents; there are ${count}.`
    throw unusable(message, target, 'Keep the state in its directory, or move it to PostgreSQL.')
  }
  const fd = await files.open(target, 'create')
  try {
    let text = '{'
    let written = 0
    const uniqueKeys: Record<string, Record<string, string[]>> = Object.create(null) as typeof uniqueKeys
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(text)
      await writeAll(files, fd, bytes, written)
      written += bytes.length
      text = ''
    }
    for (const [kind, collection] of kinds) {
      const own: [string, string[]][] = []
      text += `${JSON.stringify(kind)}:[`
      let comma = ''
      for (const entry of collection.following(undefined)) {
        text += `${comma}\n${entry.json() ?? 'null'}`
        comma = ','
        if (entry.uniqueKeys.length > 0) own.push([entry.id, entry.uniqueKeys.map(uniqueKeyText)])
        if (text.length > chunkChars) await flush()
      }
      text += '\n],\n'
      uniqueKeys[kind] = Object.fromEntries(own)
    }
    text += `${JSON.stringify(uniqueKeysMember)}:${JSON.stringify(uniqueKeys)}}\n`
    await flush()
    await files.sync(fd)
  } finally {
    await files.close(fd)
  }
  return count
}

/** Imports a file of `exportPlain` into an empty project. Returns the number of documents. */
export async function importPlain(store: OpenedStore, project: string, source: string): Promise<number> {
  if ((await store.projects()).includes(project)) {
    throw unusable(`There is a project ${project} already.`, source, 'Import into another project.')
  }
  const changes = changesOf(source)
  for (let start = 0; start < changes.length; start += batchSize) {
    await store.commit(project, changes.slice(start, start + batchSize))
  }
  return changes.length
}

function changesOf(source: string): Change[] {
  const uniqueKeys = new Map<string, ReadonlyMap<string, readonly string[]>>()
  const kinds = new Map(Object.entries(parsed(source)))
  for (const [kind, byId] of Object.entries((kinds.get(uniqueKeysMember) ?? {}) as Record<string, object>)) {
    uniqueKeys.set(kind, new Map(Object.entries(byId as Record<string, readonly string[]>)))
  }
  kinds.delete(uniqueKeysMember)
  const changes: Change[] = []
  for (const [kind, documents] of kinds) {
    if (!Array.isArray(documents)) throw unusable(`${source}: ${kind} is not an array.`, source, 'Check the file.')
    for (const [at, document] of documents.entries()) {
      const doc = document as Document | null
      if (typeof doc?.id !== 'string' || typeof doc.version !== 'number' || doc.version < 1) {
        throw unusable(`${source}: ${kind}[${at}] has no id and version.`, source, 'Check the file.')
      }
      const texts = uniqueKeys.get(kind)?.get(doc.id) ?? []
      changes.push({kind, expect: 0, doc, uniqueKeys: texts.map(uniqueKeyOf)})
    }
  }
  if (changes.length > maxDocuments) {
    throw unusable(`${source} has more than ${maxDocuments} documents.`, source, 'Import customers as JSON Lines.')
  }
  return changes
}

function parsed(source: string): object {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(source, 'utf8'))
  } catch (error) {
    throw unusable(`${source} cannot be read: ${(error as Error).message}.`, source, 'Check the file.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw unusable(`${source} is not a database of lowdb.`, source, 'Check the file.')
}

const unusable = (message: string, path: string, remedy: string): StateError =>
  new StateError('StateUnusable', message, path, remedy)
