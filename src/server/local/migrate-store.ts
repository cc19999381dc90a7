import type {CopyCounts, Progress, StatePlace} from '../../store/copy-state.js'
import {facets} from './facets.js'

export interface MigrateStoreOptions {
  /** Folder of a state, or `postgres://…`. */
  readonly from: string
  /** Folder or `postgres://…`, still empty. */
  readonly to: string
  readonly onProgress?: (progress: Progress) => void | Promise<void>
}

const stateOf = (text: string): StatePlace => (/^postgres(ql)?:/i.test(text) ? {url: text} : {dir: text})

/**
 * Moves the state of a server between folders and PostgreSQL databases. No server may run on either. Throws StateError;
 * an interrupted run is continued by the next.
 */
export async function migrateState({from, to, ...options}: MigrateStoreOptions): Promise<CopyCounts> {
  const {copyState} = await import('../../store/copy-state.js')
  return copyState({...options, from: stateOf(from), to: stateOf(to), facets})
}
