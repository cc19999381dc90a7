import {realpathSync} from 'node:fs'
import {resolve} from 'node:path'
import type {OpenedStore, StoreOptions} from './opened-store.js'
import {refuseUnfinishedMigration} from './unfinished-migration.js'

/** Opens the state; throws StateError when it is in use, damaged, of a newer release or open to other users. */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const label = options.url === undefined ? options.dir : 'the database'
  const store = await openedStore(options)
  if (options.isMigration || label === ':memory:') return store
  try {
    await refuseUnfinishedMigration(store, label)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openedStore(options: StoreOptions): Promise<OpenedStore> {
  if (options.url !== undefined) {
    const {openPostgres} = await import('./postgres/store.js')
    return openPostgres(options.url, options, () => placeOf(options))
  }
  const [{LowStore}, {Scans}] = await Promise.all([import('./lowdb/low-store.js'), import('./lowdb/read/scans.js')])
  if (options.dir === ':memory:') {
    const {InMemory} = await import('./lowdb/backing.js')
    return new LowStore(new InMemory(), options.facets, new Scans(), options.searchTexts)
  }
  const {openDirectory} = await import('./lowdb/folder/directory.js')
  return new LowStore(
    await openDirectory({...options, dir: resolvedPath(options.dir)}),
    options.facets,
    new Scans(),
    options.searchTexts,
  )
}

/** A server over a database takes the lock of its directory all the same, so that commands find it there. */
async function placeOf({dir, writer}: StoreOptions) {
  if (dir === ':memory:' || writer !== 'server') return undefined
  const [{lockDirectory, newNonce}, {blockingFiles}] = await Promise.all([
    import('./lowdb/folder/lock-directory.js'),
    import('./lowdb/file/files.js'),
  ])
  return lockDirectory(resolvedPath(dir), {files: blockingFiles, purpose: writer, timeoutMs: 0, nonce: newNonce()})
}

/** The directory itself, when the path to it is a symbolic link of the user's. */
function resolvedPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
