import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {StateError} from '../domain/errors.js'
import {type Sum, Summing} from './adapter/checksum.js'
import {openStore} from './open.js'
import type {OpenedStore, StoredDocument, StoreOptions} from './opened-store.js'
import {type Facets, type Put, REALM, VersionConflict} from './store.js'
import {type MigrationMarker, markerId, markerKind, refuseUnfinishedMigration} from './unfinished-migration.js'

/** A state: a folder, or the URL of a database. */
export type StatePlace = {readonly dir: string} | {readonly url: string}

export interface CopyOptions {
  readonly from: StatePlace
  readonly to: StatePlace
  readonly facets: Facets
  /** Whether processes may use the source meanwhile: of each project one state is copied. Else nobody else may hold it. */
  readonly isInUse?: true
  readonly onProgress?: (progress: Progress) => void | Promise<void>
}

export interface Progress {
  readonly step: 'copy' | 'verify'
  readonly project: string
  /** Documents of the project so far; those copied by an earlier run are not counted. */
  readonly documents: number
}

export interface CopyCounts {
  readonly projects: Readonly<Record<string, Sum>>
  /** Whether an earlier run had begun. */
  readonly resumed: boolean
}

const batchSize = 500
const batchesAtOnce = 4

/**
 * Copies a whole state, for a snapshot, a restore, or a move between folder and database: every document of all
 * projects, into an empty state. Compares both by counts and checksums; until then the copy cannot be opened as a
 * state. A repeat continues an interrupted copy. Throws StateError; never changes the source.
 */
export async function copyState({from, to, facets, isInUse, onProgress}: CopyOptions): Promise<CopyCounts> {
  const labels = {from: await labelOf(from), to: await labelOf(to)}
  if (labels.from === labels.to) {
    throw new StateError('StateUnusable', `${labels.to} is both source and target.`, labels.to, 'Name two places.')
  }
  // Opening a folder for writing would make it.
  if ('dir' in from && !existsSync(from.dir)) throw empty(labels.from)
  const open = (place: StatePlace, writer: StoreOptions['writer'] = 'server') =>
    openStore({dir: ':memory:', ...place, facets, writer, isMigration: true})
  const source = await open(from, isInUse && 'reader')
  try {
    // A copy alone would not notice a line that was doubled or dropped.
    if ('dir' in from) await assertVerified(from.dir)
    const target = await open(to)
    try {
      return await new Copying(source, target, labels, onProgress).run()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const assertVerified = async (dir: string): Promise<void> =>
  (await import('./lowdb/care/verify.js')).assertVerified(resolve(dir))

/** The name of a place in errors and marks, without credentials. */
async function labelOf(place: StatePlace): Promise<string> {
  if ('dir' in place) return resolve(place.dir)
  const {databaseAddressOf} = await import('./postgres/connection/address.js')
  return databaseAddressOf(place.url).label
}

const empty = (label: string): StateError =>
  new StateError('StateUnusable', `There is no state in ${label}.`, label, 'Name the place that holds one.')

type Labels = Readonly<Record<'from' | 'to', string>>

class Copying {
  readonly #from: OpenedStore
  readonly #to: OpenedStore
  readonly #labels: Labels
  readonly #onProgress: CopyOptions['onProgress']
  /** What was read of projects that this run has copied from their beginning. */
  readonly #read = new Map<string, Sum>()

  constructor(source: OpenedStore, target: OpenedStore, labels: Labels, onProgress: CopyOptions['onProgress']) {
    this.#from = source
    this.#to = target
    this.#labels = labels
    this.#onProgress = onProgress
  }

  async run(): Promise<CopyCounts> {
    await refuseUnfinishedMigration(this.#from, this.#labels.from)
    const projects = await this.#projects()
    if (projects.length === 0) throw empty(this.#labels.from)
    const begun = await this.#begin()
    // The documents of the whole server come last, so that nobody takes a half of the projects for a state.
    const at = projects.indexOf(begun.project ?? '')
    let marker = begun
    for (const project of projects.slice(Math.max(at, 0))) marker = await this.#copy(project, marker)
    const sums = new Map<string, Sum>()
    for (const project of projects) sums.set(project, await this.#verify(project))
    await this.#refuseMore(projects)
    await this.#to.commit(REALM, [{kind: markerKind, expect: marker.version, remove: markerId}])
    return {projects: Object.fromEntries(sums), resumed: begun.version > 1}
  }

  async #projects(): Promise<string[]> {
    const names = await this.#from.projects()
    return [...names.filter((name) => name !== REALM), ...names.filter((name) => name === REALM)]
  }

  async #begin(): Promise<MigrationMarker> {
    const found = await this.#to.get<MigrationMarker>(REALM, markerKind, markerId)
    if (found?.source === this.#labels.from) return found
    const held = await this.#to.projects()
    if (held.length > 0) {
      const what = found ? `an unfinished copy of ${found.source}` : `projects (${held.join(', ')})`
      const remedy = 'Copy into an empty folder or database.'
      throw new StateError('StateUnusable', `${this.#labels.to} holds ${what} already.`, this.#labels.to, remedy)
    }
    const marker: MigrationMarker = {id: markerId, version: 1, source: this.#labels.from}
    await this.#to.commit(REALM, [{kind: markerKind, expect: 0, doc: marker}])
    return marker
  }

  async #copy(project: string, begun: MigrationMarker): Promise<MigrationMarker> {
    let marker = begun
    let documents = 0
    const after =
      marker.project === project && marker.kind !== undefined && marker.last !== undefined
        ? {kind: marker.kind, id: marker.last}
        : undefined
    const summing = new Summing()
    for await (const group of batches(this.#from.documents(project, after), batchSize * batchesAtOnce)) {
      for (const kept of group) summing.add(kept)
      const starts = Array.from({length: batchesAtOnce}, (_, at) => at * batchSize).filter((at) => at < group.length)
      await Promise.all(starts.map((at) => this.#write(project, group.slice(at, at + batchSize))))
      const last = group.at(-1) as StoredDocument
      const next = {...marker, version: marker.version + 1, project, kind: last.kind, last: last.doc.id}
      await this.#to.commit(REALM, [{kind: markerKind, expect: marker.version, doc: next}])
      marker = next
      documents += group.length
      await this.#onProgress?.({step: 'copy', project, documents})
    }
    if (!after) this.#read.set(project, summing.sum)
    return marker
  }

  /** What a run that was cut off had written beyond its marker is there already. */
  async #write(project: string, batch: readonly StoredDocument[]): Promise<void> {
    const puts = batch.map(({kind, doc, uniqueKeys}): Put => ({kind, expect: 0, doc, uniqueKeys}))
    try {
      await this.#to.commit(project, puts)
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
      const present = await Promise.all(puts.map(({kind, doc}) => this.#to.get(project, kind, doc.id)))
      const missing = puts.filter((_, at) => present[at] === undefined)
      if (missing.length > 0) await this.#to.commit(project, missing)
    }
  }

  async #verify(project: string): Promise<Sum> {
    const source = this.#read.get(project) ?? (await this.#sum(this.#from, project))
    const target = await this.#sum(this.#to, project)
    if (source.documents === target.documents && source.checksum === target.checksum) return source
    const message =
      `The project ${project} differs: ${source.documents} documents in ${this.#labels.from}, ` +
      `${target.documents} in ${this.#labels.to}, with checksums ${source.checksum.slice(0, 8)} and ${target.checksum.slice(0, 8)}.`
    const remedy = 'Stop every server of the two, empty the target and copy again.'
    throw new StateError('StateCorrupt', message, this.#labels.to, remedy)
  }

  async #sum(store: OpenedStore, project: string): Promise<Sum> {
    const summing = new Summing()
    for await (const kept of store.documents(project)) {
      if (project === REALM && kept.kind === markerKind) continue
      summing.add(kept)
      const {documents} = summing
      if (store === this.#to && documents % 10_000 === 0) {
        await this.#onProgress?.({step: 'verify', project, documents})
      }
    }
    return summing.sum
  }

  async #refuseMore(projects: readonly string[]): Promise<void> {
    const more = (await this.#to.projects()).find((name) => name !== REALM && !projects.includes(name))
    if (more === undefined) return
    const message = `Somebody else wrote the project ${more} to ${this.#labels.to} meanwhile.`
    throw new StateError('StateUnusable', message, this.#labels.to, 'Stop every server of it and copy again.')
  }
}

async function* batches(documents: AsyncIterable<StoredDocument>, size: number): AsyncGenerator<StoredDocument[]> {
  let batch: StoredDocument[] = []
  for await (const kept of documents) {
    if (batch.push(kept) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
