import {dirname, join} from 'node:path'
import {type Files, writeNew} from './files.js'
import {indexName} from './index-name.js'
import {firstManifest, type JournalFile, journalName, type Manifest, type RunFile, writeManifest} from './manifest.js'
import {openPrivate} from './private.js'

const ours = /\.\d+\.(ndjson|idx|jsonl)$|^MANIFEST\.json\./

/** The files of a project as its writer changes them, one manifest after the other. */
export class Generations {
  readonly #files: Files
  readonly #directory: string
  readonly #nonce: string
  #manifest: Manifest | undefined

  constructor(files: Files, directory: string, nonce: string, manifest: Manifest | undefined) {
    this.#files = files
    this.#directory = directory
    this.#nonce = nonce
    this.#manifest = manifest
  }

  get manifest(): Manifest {
    if (!this.#manifest) throw new Error(`${this.#directory} has no manifest`)
    return this.#manifest
  }

  get exists(): boolean {
    return this.#manifest !== undefined
  }

  /** The journal that grows. */
  get journal(): JournalFile {
    return this.manifest.journals.at(-1) as JournalFile
  }

  /** The number that files of the next manifest bear. */
  get next(): number {
    return (this.#manifest?.generation ?? 0) + 1
  }

  /** The first files of a project; the manifest comes last and makes them count. */
  async create(facets: number): Promise<void> {
    const manifest = firstManifest(facets)
    await this.#files.makeDirectory(this.#directory)
    await this.#files.syncDirectory(dirname(this.#directory))
    // One that an earlier attempt left is empty, and that attempt's manifest may yet come to count.
    const journal = join(this.#directory, journalName(manifest.generation))
    if (!(await this.#files.stat(journal))) await writeNew(this.#files, journal, '')
    await this.#replace(manifest)
  }

  /** Ends the journal that grows at `bytes` and starts another; returns it open for writing. */
  async nextJournal(sealed: {readonly bytes: number; readonly last: number}, facets: number): Promise<number> {
    const {journals, generation} = this.manifest
    const file = journalName(this.next)
    const path = join(this.#directory, file)
    await this.#fresh(path)
    const {fd} = await openPrivate(this.#files, path, 'write')
    const before = {...this.journal, bytes: sealed.bytes}
    const kept = sealed.bytes > 0 ? [...journals.slice(0, -1), before] : journals.slice(0, -1)
    const next = {...this.manifest, generation: generation + 1}
    try {
      await this.#replace({...next, journals: [...kept, {file, first: sealed.last + 1, facets}]})
    } catch (error) {
      await this.#files.close(fd)
      throw error
    }
    return fd
  }

  /** Puts runs in the place of the old ones and of all journals but the one that grows. */
  async replaceRuns(runs: readonly RunFile[]): Promise<void> {
    const journals = [this.journal]
    await this.#replace({...this.manifest, generation: this.next, runs, journals})
  }

  /** Removes files that the manifest does not name: of older generations, and of attempts that failed. */
  async removeRemains(): Promise<void> {
    const {runs, journals} = this.manifest
    const named = new Set([...runs.flatMap(({file}) => [file, indexName(file)]), ...journals.map(({file}) => file)])
    for (const name of await this.#files.list(this.#directory)) {
      if (ours.test(name) && !named.has(name)) await this.#files.unlink(join(this.#directory, name))
    }
  }

  async #fresh(path: string): Promise<void> {
    await this.#files.unlink(path)
    await writeNew(this.#files, path, '')
  }

  async #replace(manifest: Manifest): Promise<void> {
    await writeManifest(this.#files, this.#directory, manifest, this.#nonce)
    this.#manifest = manifest
  }
}
