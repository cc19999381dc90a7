import type {Awaitable, Files} from '../../../src/store/lowdb/file/files.js'

interface Node {
  content: Buffer
  readonly inode: number
}

const failure = (code: string): Error => Object.assign(new Error(code), {code})

/** Files in memory, shared by several actors whose calls wait for a gate where another actor could notice them. */
export class FakeDisk {
  readonly names = new Map<string, Node>()
  readonly #open = new Map<number, Node>()
  #next = 1

  /** The disk as one actor sees it. */
  files(gate: (call: string) => Awaitable<void>): Files {
    const node = (path: string): Node => {
      const found = this.names.get(path)
      if (!found) throw failure('ENOENT')
      return found
    }
    const of = (fd: number): Node => this.#open.get(fd) as Node
    const privateFile = {kind: 'file', uid: process.getuid?.() ?? 0, mode: 0o600} as const
    return {
      open: async (path, mode) => {
        // What is created has a name of its own; others can meet it from its first write on, while it is empty.
        if (mode !== 'create') await gate(`open ${path}`)
        if (mode === 'create' && this.names.has(path)) throw failure('EEXIST')
        if (mode === 'create') this.names.set(path, {content: Buffer.alloc(0), inode: this.#next++})
        const fd = this.#next++
        this.#open.set(fd, node(path))
        return fd
      },
      read: (fd, buffer, offset, length, position) => {
        const part = of(fd).content.subarray(position, position + length)
        buffer.set(part, offset)
        return part.length
      },
      write: async (fd, buffer, offset, length, position) => {
        await gate('write')
        const file = of(fd)
        const content = Buffer.alloc(Math.max(file.content.length, position + length))
        file.content.copy(content)
        content.set(buffer.subarray(offset, offset + length), position)
        file.content = content
        return length
      },
      sync: () => {},
      truncate: () => {},
      close: (fd) => {
        this.#open.delete(fd)
      },
      stat: (target) => {
        const found = typeof target === 'number' ? of(target) : this.names.get(target)
        return found && {...privateFile, size: found.content.length}
      },
      identity: (target) => {
        const found = typeof target === 'number' ? of(target) : this.names.get(target)
        return found && String(found.inode)
      },
      link: async (from, to) => {
        await gate(`link ${to}`)
        if (this.names.has(to)) throw failure('EEXIST')
        this.names.set(to, node(from))
      },
      rename: async (from, to) => {
        await gate(`rename ${to}`)
        this.names.set(to, node(from))
        this.names.delete(from)
      },
      unlink: async (path) => {
        await gate(`unlink ${path}`)
        this.names.delete(path)
      },
      list: () => [...this.names.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)),
      makeDirectory: () => {},
      syncDirectory: () => {},
    }
  }
}
