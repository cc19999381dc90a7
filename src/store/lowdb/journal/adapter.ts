import {join} from 'node:path'
import type {Adapter} from 'lowdb'
import {asWriteError, corrupt} from '../format/failures.js'
import {readManifest} from '../format/manifest.js'
import type {State} from '../memory/state.js'
import {type Loaded, load} from './load.js'
import type {JournaledOptions} from './options.js'
import type {ProjectWriter} from './project-writer.js'

/**
 * lowdb's adapter for state that is written as it changes: `read` puts the state together from segments and journals,
 * `write` appends the commits that are new since the last one.
 */
export class JournaledJSON implements Adapter<State> {
  readonly #directory: string
  readonly #options: JournaledOptions
  #loaded: Loaded | undefined
  #state: State | undefined
  #writer: ProjectWriter | undefined
  #opening: Promise<ProjectWriter> | undefined

  constructor(directory: string, options: JournaledOptions) {
    this.#directory = directory
    this.#options = options
  }

  async read(): Promise<State | null> {
    const {files, facets, cache, lease} = this.#options
    const loaded = await load(this.#directory, {files, facets, cache, writes: () => lease() !== undefined})
    if (!loaded && (await this.#options.mustExist())) {
      throw corrupt(`The files of the project in ${this.#directory} are missing.`, this.#directory)
    }
    this.#loaded = loaded ?? undefined
    this.#state = loaded?.state
    return loaded?.state ?? null
  }

  /** Whether what `read` found is still all there is. */
  async isCurrent(): Promise<boolean> {
    const {files} = this.#options
    const manifest = await readManifest(files, this.#directory)
    if (!this.#loaded || !manifest) return !this.#loaded && !manifest
    const journal = this.#loaded.manifest.journals.at(-1)
    const stat = await files.stat(join(this.#directory, journal?.file ?? ''))
    return manifest.generation === this.#loaded.manifest.generation && stat?.size === this.#loaded.end.length
  }

  async write(state: State): Promise<void> {
    // Taking the commits and queueing them is one turn of the loop, so that each call answers for its own.
    const commits = state.unwritten.splice(0)
    this.#state = state
    try {
      const writer = this.#writer ?? (await this.#writable())
      await Promise.all(commits.map(({operations}) => writer.append(operations, state)))
    } catch (error) {
      throw asWriteError(error, this.#directory)
    }
  }

  /** Merges the journal and the segments that are due, or all segments, into new ones. Others read and write meanwhile. */
  async compact(state: State, whole: boolean): Promise<void> {
    try {
      await (this.#writer ?? (await this.#writable())).compact(state, whole)
    } catch (error) {
      throw asWriteError(error, this.#directory)
    }
  }

  async close(): Promise<void> {
    await this.#writer?.close(this.#state)
    for (const collection of this.#state?.collections.values() ?? []) {
      for (const segment of collection.segments) segment.retire()
    }
  }

  /** Opens the files for writing once; a failure (a full disk) leaves the next commit to try again. */
  #writable(): Promise<ProjectWriter> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<ProjectWriter> {
    // Commands that only read need none of it.
    const {ProjectWriter} = await import('./project-writer.js')
    this.#writer = await ProjectWriter.open(this.#directory, this.#options, this.#loaded)
    return this.#writer
  }
}
