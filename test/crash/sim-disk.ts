import {dirname} from 'node:path'
import type {BlockingFiles, FileStat} from '../../src/store/lowdb/file/files.js'

interface Inode {
  readonly number: number
  /** What a power cut leaves at least. */
  durable: Buffer
  current: Buffer
  /** Since the last sync, each as it came: a power cut leaves any of them, whole or torn. */
  pending: ({at: number; bytes: Buffer} | {length: number})[]
}

type Entry = {readonly name: string; readonly inode: Inode | undefined}

export type Fault = 'EIO' | 'ENOSPC' | 'short' | undefined

const failure = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}, ${syscall}`), {code, syscall})

/** What calls a fault plan sees. Reading is left alone. */
export type Call = 'open' | 'write' | 'sync' | 'truncate' | 'link' | 'rename' | 'unlink' | 'syncDirectory'

/**
 * A disk in memory that forgets like a real one: what was not synced survives a power cut in any subset, writes may be
 * torn, and names come and go on their own unless their directory was synced.
 */
export class SimDisk {
  /** Asked before each call that changes something; may throw to stop the machine. */
  fault: (call: Call) => Fault = () => undefined
  #names = new Map<string, Inode>()
  #durableNames = new Map<string, Inode>()
  #pendingNames: Entry[] = []
  readonly #directories = new Set<string>(['/'])
  readonly #pendingDirectories = new Set<string>()
  readonly #open = new Map<number, Inode>()
  #next = 3

  readonly files: BlockingFiles = {
    open: (path, mode) => {
      if (mode === 'create') {
        this.#check('open')
        if (this.#names.has(path)) throw failure('EEXIST', 'open')
        this.#link(path, {number: this.#next++, durable: Buffer.alloc(0), current: Buffer.alloc(0), pending: []})
      }
      const fd = this.#next++
      this.#open.set(fd, this.#inode(path, 'open'))
      return fd
    },
    read: (fd, buffer, offset, length, position) => {
      const part = this.#of(fd).current.subarray(position, position + length)
      buffer.set(part, offset)
      return part.length
    },
    write: (fd, buffer, offset, length, position) => {
      const fault = this.#ask('write')
      const inode = this.#of(fd)
      // A write that fails may have written some.
      const count = fault === undefined ? length : Math.ceil(length / 2)
      const bytes = Buffer.from(buffer.subarray(offset, offset + count))
      inode.current = overwritten(inode.current, position, bytes)
      inode.pending.push({at: position, bytes})
      if (fault === 'EIO' || fault === 'ENOSPC') throw failure(fault, 'write')
      return count
    },
    sync: (fd) => {
      this.#check('sync')
      const inode = this.#of(fd)
      inode.durable = inode.current
      inode.pending = []
    },
    truncate: (fd, length) => {
      this.#check('truncate')
      const inode = this.#of(fd)
      inode.current = inode.current.subarray(0, length)
      inode.pending.push({length})
    },
    close: (fd) => {
      this.#open.delete(fd)
    },
    stat: (target) => this.#stat(target),
    identity: (target) => {
      const inode = typeof target === 'number' ? this.#of(target) : this.#names.get(target)
      return inode && String(inode.number)
    },
    link: (from, to) => {
      this.#check('link')
      if (this.#names.has(to)) throw failure('EEXIST', 'link')
      this.#link(to, this.#inode(from, 'link'))
    },
    rename: (from, to) => {
      this.#check('rename')
      this.#link(to, this.#inode(from, 'rename'))
      this.#link(from, undefined)
    },
    unlink: (path) => {
      if (!this.#names.has(path)) return
      this.#check('unlink')
      this.#link(path, undefined)
    },
    list: (directory) => {
      const inside = [...this.#names.keys(), ...this.#directories].filter(
        (path) => path !== directory && dirname(path) === directory,
      )
      return [...new Set(inside.map((path) => path.slice(directory.length + 1)))]
    },
    makeDirectory: (path) => {
      if (this.#directories.has(path)) return
      this.#directories.add(path)
      this.#pendingDirectories.add(path)
    },
    syncDirectory: (path) => {
      this.#check('syncDirectory')
      for (const made of this.#pendingDirectories) if (dirname(made) === path) this.#pendingDirectories.delete(made)
      this.#pendingNames = this.#pendingNames.filter((entry) => {
        if (dirname(entry.name) !== path) return true
        apply(this.#durableNames, entry)
        return false
      })
    },
  }

  /** The power goes and comes back. `keep` decides about each piece that was not synced. */
  cut(next: () => number): void {
    for (const entry of this.#pendingNames) if (next() < 0.5) apply(this.#durableNames, entry)
    this.#pendingNames = []
    for (const made of this.#pendingDirectories) if (next() < 0.5) this.#forget(made)
    this.#pendingDirectories.clear()
    this.#names = new Map(this.#durableNames)
    this.#open.clear()
    for (const inode of new Set(this.#names.values())) {
      for (const change of inode.pending) {
        if (next() < 0.5) continue
        if ('length' in change) inode.durable = inode.durable.subarray(0, change.length)
        else {
          const torn = next() < 0.3 ? Math.floor(next() * change.bytes.length) : change.bytes.length
          inode.durable = overwritten(inode.durable, change.at, change.bytes.subarray(0, torn))
        }
      }
      inode.current = inode.durable
      inode.pending = []
    }
  }

  /** A directory whose name did not get to the disk takes with it what is in it. */
  #forget(directory: string): void {
    this.#directories.delete(directory)
    for (const name of this.#durableNames.keys()) {
      if (name.startsWith(`${directory}/`)) this.#durableNames.delete(name)
    }
  }

  #ask(call: Call): Fault {
    return this.fault(call)
  }

  #check(call: Call): void {
    const fault = this.fault(call)
    if (fault !== undefined) throw failure(fault === 'short' ? 'EIO' : fault, call)
  }

  #link(name: string, inode: Inode | undefined): void {
    const entry = {name, inode}
    apply(this.#names, entry)
    this.#pendingNames.push(entry)
  }

  #inode(path: string, syscall: string): Inode {
    const inode = this.#names.get(path)
    if (!inode) throw failure('ENOENT', syscall)
    return inode
  }

  #of(fd: number): Inode {
    const inode = this.#open.get(fd)
    if (!inode) throw failure('EBADF', 'fd')
    return inode
  }

  #stat(target: string | number): FileStat | undefined {
    const uid = process.getuid?.() ?? 0
    if (typeof target === 'string' && this.#directories.has(target)) {
      return {kind: 'directory', uid, mode: 0o700, size: 0}
    }
    const inode = typeof target === 'number' ? this.#of(target) : this.#names.get(target)
    return inode && {kind: 'file', uid, mode: 0o600, size: inode.current.length}
  }
}

function apply(names: Map<string, Inode>, {name, inode}: Entry): void {
  if (inode) names.set(name, inode)
  else names.delete(name)
}

/** A gap reads as zeros, as in a file with a hole. */
function overwritten(content: Buffer, at: number, bytes: Buffer): Buffer {
  const result = Buffer.alloc(Math.max(content.length, at + bytes.length))
  content.copy(result)
  bytes.copy(result, at)
  return result
}
