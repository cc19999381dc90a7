import {type Files, writeNew} from '../file/files.js'

/** A file beside a segment that was made from its lines: in memory until this process may write it. */
export class SideFile {
  readonly path: string
  readonly #files: Files
  readonly #mayWrite: () => boolean
  #content: Uint8Array | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string, files: Files, mayWrite: () => boolean) {
    this.path = path
    this.#files = files
    this.#mayWrite = mayWrite
  }

  /** Replaces the file, now or at a later `save`. */
  replace(content: Uint8Array): void {
    this.#content = content
    void this.save()
  }

  /** Resolves when nothing is being written any more. */
  save(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const content = this.#content
    if (!content || !this.#mayWrite()) return
    this.#content = undefined
    try {
      await this.#files.unlink(this.path)
      if (this.#mayWrite()) await writeNew(this.#files, this.path, content)
    } catch {
      // On a full disk what is in memory serves this process, and the next one makes its own.
    }
  }
}
