import {join} from 'node:path'
import type {ProjectAdapter} from '../backing.js'
import {asWriteError, corrupt} from '../file/failures.js'
import {readManifest} from '../file/manifest.js'
import type {State, Transaction} from '../tree/state.js'
import {type Loaded, load} from './load.js'
import type {JournaledOptions} from './options.js'
import type {ProjectWriter} from './project-writer.js'

/** A project in files: segments, and a journal to which commits are appended. */
export class JournaledJSON implements ProjectAdapter {
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
    const {lease} = this.#options
    const look = () => load(this.#directory, {...this.#options, writes: () => lease() !== undefined})
    let loaded = await look()
    if (!loaded && (await this.#options.mustExist())) {
      // Another process may have made the project between the two looks: its files come before its name.
      loaded = await look()
      if (!loaded) throw corrupt(`The files of the project in ${this.#directory} are missing.`, this.#directory)
    }
    this.#loaded = loaded ?? undefined
    this.#state = loaded?.state
    return loaded?.state ?? null
  }

  /** Whether nothing was written since `read`. */
  async isCurrent(): Promise<boolean> {
    const {files} = this.#options
    const manifest = await readManifest(files, this.#directory)
    if (!this.#loaded || !manifest) return !this.#loaded && !manifest
    const journal = this.#loaded.manifest.journals.at(-1)
    const stat = await files.stat(join(this.#directory, journal?.file ?? ''))
    return manifest.generation === this.#loaded.manifest.generation && stat?.size === this.#loaded.end.length
  }

  append({entries}: Transaction, state: State): Promise<void> {
    this.#state = state
    if (this.#writer) return this.#writer.append(entries, state)
    return this.#writable().then(
      (opened) => opened.append(entries, state),
      (error: unknown) => {
        throw asWriteError(error, this.#directory)
      },
    )
  }

  /** Merges journals and segments, so that nothing removed or replaced is left, beside reads and commits. */
  async write(state: State): Promise<void> {
    try {
      await (this.#writer ?? (await this.#writable())).compact(state, true)
    } catch (error) {
      throw asWriteError(error, this.#directory)
    }
  }

  async close(): Promise<void> {
    await this.#writer?.close(this.#state)
    for (const collection of this.#state?.collections.values() ?? []) {
      for (const segment of collection.segments) await segment.close()
    }
  }

  /** Opens the files for writing once; after a failure (a full disk) the next commit tries again. */
  #writable(): Promise<ProjectWriter> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<ProjectWriter> {
    // Commands that only read do not load it.
    const {ProjectWriter} = await import('./project-writer.js')
    this.#writer = await ProjectWriter.open(this.#directory, this.#options, this.#loaded)
    return this.#writer
  }
}
