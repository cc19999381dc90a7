import {openStore} from '../../src/store/open.js'
import type {OpenedStore} from '../../src/store/opened-store.js'
import {facets} from './contract.js'

/** A state as a command opens it: for as long as one task takes. */

export const openOnce = (dir: string): Promise<OpenedStore> => openStore({dir, facets, writer: 'one-shot'})

export async function withStore<T>(dir: string, task: (store: OpenedStore) => Promise<T>): Promise<T> {
  const store = await openOnce(dir)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}

/** Ids and versions of all people in a project: `a1`, `b2`. */
export const idsIn = (dir: string, project = 'shop'): Promise<string[]> =>
  withStore(dir, async (store) => {
    const {results} = await store.query(project, 'people', {limit: 100, offset: 0})
    return results.map(({id, version}) => `${id}${version}`)
  })
