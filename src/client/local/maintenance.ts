import type {CopyCounts, CopyOptions, StatePlace} from '../../store/copy-state.js'
import type {Diagnosis, Mended, Repair} from '../../store/lowdb/care/doctor.js'
import type {Snapshot} from '../../store/lowdb/care/snapshot.js'
import type {Examination} from '../../store/postgres/doctor.js'

/** Upkeep of the state on this machine. Every call loads only what it needs. */

export type {Diagnosis, Examination, Repair, Snapshot}

/** Reads every byte and says what is wrong; changes nothing. */
export async function diagnoseLocal(dataDir: string): Promise<Diagnosis> {
  const [{diagnose}, {facets}, {credentialFindings}] = await Promise.all([
    import('../../store/lowdb/care/doctor.js'),
    import('../../server/local/facets.js'),
    import('../../server/local/local-files.js'),
  ])
  const {projects, findings} = await diagnose(dataDir, facets)
  return {projects, findings: [...findings, ...credentialFindings(dataDir)]}
}

/** Compares the unique keys of a database with its documents, and mends them if asked to. Throws StateError. */
export const examineTables = async (url: string, mend: boolean): Promise<Examination> =>
  (await import('../../store/postgres/doctor.js')).examine(url, mend)

/** Makes a damaged state usable from what can be read; what was found is kept beside it. Throws StateLocked. */
export async function repairLocal(dataDir: string, now: Date) {
  const {repair} = await import('../../store/lowdb/care/doctor.js')
  const mended: Mended[] = []
  return {repaired: await repair(dataDir, now, undefined, mended), mended}
}

/**
 * Releases the lock of a process in another container or on another machine. Throws StateLocked for one that runs here.
 */
export const releaseLocal = async (dataDir: string): Promise<true> => {
  await (await import('../../store/lowdb/care/doctor.js')).releaseLock(dataDir)
  return true
}

const snapshots = () => import('../../store/lowdb/care/snapshot.js')

const facets = async () => (await import('../../server/local/facets.js')).facets

export const saveSnapshot = async (dataDir: string, name: string, now: Date): Promise<Snapshot> =>
  (await snapshots()).saveSnapshot(dataDir, name, {facets: await facets(), now})

/** Oldest first. */
export const listSnapshots = async (dataDir: string): Promise<readonly Snapshot[]> =>
  (await snapshots()).listSnapshots(dataDir)

/** Puts a snapshot in the place of the state; what was there becomes the snapshot that is returned. Throws StateLocked. */
export const restoreSnapshot = async (dataDir: string, name: string, now: Date): Promise<Snapshot> =>
  (await snapshots()).restoreSnapshot(dataDir, name, {facets: await facets(), now})

/** Folders that keep older documents although they were changed or erased since. */
export const keptCopies = async (dataDir: string): Promise<readonly string[]> => (await snapshots()).keptCopies(dataDir)

interface MigrateStoreOptions extends Pick<CopyOptions, 'onProgress'> {
  /** Folder of a state, or `postgres://…`. */
  readonly from: string
  /** Folder or `postgres://…`, still empty. */
  readonly to: string
}

const stateOf = (text: string): StatePlace => (/^postgres(ql)?:/i.test(text) ? {url: text} : {dir: text})

/**
 * Moves the state of a server between folders and PostgreSQL databases. No server may run on either. Throws StateError;
 * an interrupted run is continued by the next.
 */
export async function migrateState({from, to, ...options}: MigrateStoreOptions): Promise<CopyCounts> {
  const {copyState} = await import('../../store/copy-state.js')
  return copyState({...options, from: stateOf(from), to: stateOf(to), facets: await facets()})
}
