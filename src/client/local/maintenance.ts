/** Upkeep of the state on this machine. Every call loads only what it needs. */

export interface Finding {
  readonly path: string
  readonly problem: string
  readonly severity: 'damage' | 'note'
  readonly remedy: string
}

export interface Diagnosis {
  readonly projects: readonly {readonly name: string; readonly documents: number}[]
  readonly findings: readonly Finding[]
}

export interface Repaired {
  readonly project: string
  readonly documents: number
  /** Files that are missing, and places that cannot be read: a file and, unless all of it is gone, a byte in it. */
  readonly lost: readonly {readonly file: string; readonly byte?: number}[]
  /** Numbers of commits that may be undone; what they removed or revoked may be there again. */
  readonly undone: readonly {readonly from: number; readonly to?: number}[]
  /** The folder of what was found; absent if nothing was. */
  readonly keptIn?: string
}

export interface Snapshot {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly savedAt: string
  readonly projects: readonly string[]
}

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

export interface Disagreement {
  readonly project: string
  readonly kind: string
  readonly id: string
  readonly key: string
  readonly problem: 'orphan' | 'missing'
  readonly mended?: boolean
}

/** Compares the unique keys of a database with its documents, and mends them with `mend`. Throws StateError. */
export async function examineTables(
  url: string,
  mend: boolean,
): Promise<{projects: Diagnosis['projects']; disagreements: readonly Disagreement[]}> {
  const {examine} = await import('../../store/postgres/doctor.js')
  return examine(url, mend)
}

/** Makes a damaged state usable from what can be read; what was found is kept beside it. Throws StateLocked. */
export async function repairLocal(dataDir: string, now: Date): Promise<readonly Repaired[]> {
  const [{repair}, {facets}] = await Promise.all([
    import('../../store/lowdb/care/repair.js'),
    import('../../server/local/facets.js'),
  ])
  return repair(dataDir, facets, now)
}

export async function saveSnapshot(dataDir: string, name: string, now: Date): Promise<Snapshot> {
  const store = await import('../../store/lowdb/care/snapshot.js')
  return store.saveSnapshot(dataDir, name, now)
}

/** Oldest first. */
export async function listSnapshots(dataDir: string): Promise<readonly Snapshot[]> {
  const store = await import('../../store/lowdb/care/snapshot.js')
  return store.listSnapshots(dataDir)
}

/** Folders that keep older documents although they were changed or erased since. */
export async function keptCopies(dataDir: string): Promise<readonly string[]> {
  const store = await import('../../store/lowdb/care/kept-copies.js')
  return store.keptCopies(dataDir)
}

/** Puts a snapshot in the place of the state; what was there becomes the snapshot that is returned. Throws StateLocked. */
export async function restoreSnapshot(dataDir: string, name: string, now: Date): Promise<Snapshot> {
  const store = await import('../../store/lowdb/care/snapshot.js')
  return store.restoreSnapshot(dataDir, name, now)
}
