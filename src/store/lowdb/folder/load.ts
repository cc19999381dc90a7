import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {StateError} from '../../../domain/errors.js'
import {assertPrivate} from '../../../files/private-file.js'
import {corrupt} from '../file/failures.js'
import {hasCode} from '../file/files.js'
import {type Manifest, readManifest} from '../file/manifest.js'
import {allFacetsSignature, facetsOf, refaceted} from '../line/facets.js'
import {type ReplayResult, replayFile} from '../line/replay.js'
import {type LoadOptions, openSegment, type Segment} from '../table/segment.js'
import {State} from '../tree/state.js'

export interface Loaded {
  readonly manifest: Manifest
  readonly state: State
  /** The end of the active journal. */
  readonly end: ReplayResult
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

async function replayAll(
  directory: string,
  manifest: Manifest,
  state: State,
  {files, facets}: LoadOptions,
): Promise<ReplayResult> {
  let end: ReplayResult = {length: 0, last: 0}
  const ofThisRelease = allFacetsSignature(facets)
  for (const {file, first, bytes, facets: signature} of manifest.journals) {
    const today = signature === ofThisRelease
    end = await replayFile(files, {path: join(directory, file), first, bytes}, (entries) => {
      for (const entry of entries) state.apply(today ? entry : refaceted(entry, facetsOf(facets, entry.kind)))
    })
  }
  return end
}
