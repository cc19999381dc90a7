import type {FileHandle} from 'node:fs/promises'

const blockCharacters = 65_536

/** Texts on their way into a file, written in blocks. */
export class TextFile {
  readonly handle: FileHandle
  #pending = ''

  constructor(handle: FileHandle) {
    this.handle = handle
  }

  async write(text: string): Promise<void> {
    this.#pending += text
    if (this.#pending.length >= blockCharacters) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.#pending
    this.#pending = ''
    if (text !== '') await this.handle.writeFile(text)
  }
}
