import type {MigrateStoreOptions} from '../../server/local/migrate-store.js'

/** How far a migration is. */
export interface MigrationProgress {
  readonly step: 'copy' | 'verify'
  readonly project: string
  readonly documents: number
}

export interface MigratedProject {
  readonly documents: number
  /** A digest of all documents and unique keys, the same wherever they are kept. */
  readonly checksum: string
}

/** Moves a whole state to a folder or database that holds nothing yet. Throws StateError. */
export async function migrateState(
  options: Pick<MigrateStoreOptions, 'from' | 'to'> & {readonly onProgress: (progress: MigrationProgress) => void},
): Promise<{readonly projects: Readonly<Record<string, MigratedProject>>; readonly resumed: boolean}> {
  const server = await import('../../server/local/migrate-store.js')
  return server.migrateState(options)
}
