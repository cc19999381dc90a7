import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {StateError} from '../../../domain/errors.js'
import {assertPrivate} from '../../../files/private-file.js'
import type {Document, Facets} from '../../store.js'
import {allFacetsSignature, facetsOf, facetValues} from '../format/facets.js'
import {corrupt} from '../format/failures.js'
import {type Files, hasCode} from '../format/files.js'
import {type JournalFile, type Manifest, readManifest} from '../format/manifest.js'
import {openPrivate} from '../format/private.js'
import type {Operation} from '../format/record.js'
import {type Recovered, replay} from '../format/recovery.js'
import {State} from '../memory/state.js'
import {type LoadOptions, openSegment} from '../segments/open-segment.js'
import type {Segment} from '../segments/segment.js'

export interface Loaded {
  readonly manifest: Manifest
  readonly state: State
  /** The end of the active journal. */
  readonly end: Recovered
}

/** Maximum restarts of a reader when a writer replaces the files that it is about to open. */
const attempts = 20
/** Reads of apparent damage: without the lock, it may be a half-seen change of the writer. */
const looksAtDamage = 3
const pauseMs = 10

/** Loads a project's state; null if the project was never written. */
export async function load(directory: string, options: LoadOptions): Promise<Loaded | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stat = await options.files.stat(directory)
      if (!stat) return null
      assertPrivate(stat, directory)
      const manifest = await readManifest(options.files, directory)
      return manifest ? await loadFiles(directory, manifest, options) : null
    } catch (error) {
      const isMissing = hasCode(error, 'ENOENT')
      const isDamage = error instanceof StateError && error.code === 'StateCorrupt'
      if (isMissing && attempt >= attempts) {
        throw corrupt(`A file of ${directory} is missing: ${(error as Error).message}.`, directory)
      }
      if (!isMissing && (!isDamage || options.writes() || attempt >= looksAtDamage)) throw error
      if (isDamage) await pause(pauseMs)
    }
  }
}

async function loadFiles(directory: string, manifest: Manifest, options: LoadOptions): Promise<Loaded> {
  const state = new State(options.facets)
  const segments: Segment[] = []
  try {
    for (const file of manifest.segments) segments.push(await openSegment(directory, file, options))
    for (const kind of new Set(manifest.segments.map((file) => file.kind))) {
      state.collection(kind).load(segments.filter(({file}) => file.kind === kind))
    }
    return {manifest, state, end: await replayAll(directory, manifest, state, options)}
  } catch (error) {
    for (const segment of segments) segment.retire()
    throw error
  }
}

/** The readable length of a journal. Throws if acknowledged commits cannot be read. */
export async function journalEnd(files: Files, path: string, journal: JournalFile): Promise<Recovered> {
  const {fd, size} = await openPrivate(files, path, 'read')
  try {
    return replay(files, {...journal, fd, size, path}, () => {})
  } finally {
    await files.close(fd)
  }
}

async function replayAll(
  directory: string,
  manifest: Manifest,
  state: State,
  {files, facets}: LoadOptions,
): Promise<Recovered> {
  let end: Recovered = {length: 0, last: 0}
  const ofThisRelease = allFacetsSignature(facets)
  for (const {file, first, bytes, facets: signature} of manifest.journals) {
    const path = join(directory, file)
    const today = signature === ofThisRelease
    const {fd, size} = await openPrivate(files, path, 'read')
    try {
      end = replay(files, {fd, size, path, first, bytes}, ({operations}) => {
        for (const operation of operations) state.apply(today ? operation : refaceted(operation, facets))
      })
    } finally {
      await files.close(fd)
    }
  }
  return end
}

/** The operation with the facets of this release, for a journal of another release. */
function refaceted(operation: Operation, facets: Facets): Operation {
  if (operation.body === undefined) return operation
  const doc = JSON.parse(operation.body.toString()) as Document
  return {...operation, facets: facetValues(facetsOf(facets, operation.kind), doc)}
}
