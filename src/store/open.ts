import {resolvedPath} from '../files/folders.js'
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
  const {LowStore} = await import('./lowdb/low-store.js')
  const {dir, facets, searchTexts} = options
  const backing =
    dir === ':memory:'
      ? new (await import('./lowdb/backing.js')).InMemory()
      : await (await import('./lowdb/folder/directory.js')).openDirectory({...options, dir: resolvedPath(dir)})
  return new LowStore(backing, facets, searchTexts)
}

/** A server over a database takes the lock of its directory all the same, so that commands find it there. */
async function placeOf({dir, writer, force}: StoreOptions) {
  if (dir === ':memory:' || writer !== 'server') return undefined
  const [{lockDirectory}, {blockingFiles}] = await Promise.all([
    import('./lowdb/folder/state-folder.js'),
    import('./lowdb/file/files.js'),
  ])
  return lockDirectory(resolvedPath(dir), {files: blockingFiles, purpose: writer, timeoutMs: 0, force})
}
