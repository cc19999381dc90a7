import type {Files} from '../file/files.js'

/** File descriptors that stay open as long as somebody reads, also after what they belong to was replaced. */
export class OpenFiles {
  readonly #files: Files
  readonly #fds: number[]
  #pins = 0
  #isRetired = false

  constructor(files: Files, fds: readonly number[]) {
    this.#files = files
    this.#fds = [...fds]
  }

  /** The descriptor of the first file. Throws once they are closed. */
  get first(): number {
    const [fd] = this.#fds
    if (fd === undefined) throw new Error('the files of a segment are closed')
    return fd
  }

  get isRetired(): boolean {
    return this.#isRetired
  }

  /** Keeps the files open until the function that it returns is called, which may be more than once. */
  pin(): () => void {
    this.#pins += 1
    let isPinned = true
    return () => {
      if (isPinned) this.#pins -= 1
      isPinned = false
      this.#closeIfUnused()
    }
  }

  /** Closes the files once the last reader has ended. */
  retire(): void {
    this.#isRetired = true
    this.#closeIfUnused()
  }

  #closeIfUnused(): void {
    if (!this.#isRetired || this.#pins > 0) return
    for (const fd of this.#fds.splice(0)) void this.#files.close(fd)
  }
}
