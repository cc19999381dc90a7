import {ApiError} from '../../../domain/errors.js'
import type {Yield} from '../../../time-slices.js'
import type {Contains, SearchText} from '../../store.js'
import {type Files, readAll, writeNew} from '../file/files.js'
import type {SegmentFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import type {Entry} from '../line/entry.js'
import type {Visit} from './layer.js'
import type {OpenFiles} from './open-files.js'
import {columnOf, maxColumnBytes, TextColumn, type TextMaker} from './text-column.js'

/** How long a search waits for texts that are being made: less than a command waits for an answer. */
const waitMs = 25_000

/** What the texts need of their segment. */
interface Source {
  readonly file: SegmentFile
  readonly path: string
  readonly handles: OpenFiles
  /** Whether this process may write beside the segment now: never once it was replaced, by what may have erased somebody. */
  mayWrite(): boolean
  get(id: string): Entry | undefined
}

/** The search texts of a segment: read from the file beside it, or made from its documents by the first search. */
export class SegmentTexts {
  readonly #source: Source
  readonly #files: Files
  readonly #path: string
  readonly #make: TextMaker
  readonly #closing = new AbortController()
  #opening: Promise<TextColumn | undefined> | undefined
  #unsaved: Buffer | undefined
  #saving: Promise<void> = Promise.resolve()

  constructor(source: Source, files: Files, path: string, make: TextMaker | undefined) {
    this.#source = source
    this.#files = files
    this.#path = path
    this.#make = make ?? ((...given) => columnOf(files, ...given))
  }

  /** Visits entries whose texts have what is asked, ascending by id; false if the texts are too many for memory, or the segment was replaced. */
  async search(contains: Contains, searchText: SearchText, visit: Visit, yields: Yield): Promise<boolean> {
    const column = await inTime(this.open(searchText))
    if (!column) return false
    await column.search(contains, visit, yields)
    return true
  }

  /** One making serves everybody who asks. */
  open(searchText: SearchText): Promise<TextColumn | undefined> {
    this.#opening ??= this.#open(searchText).catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Writes texts that were made while this process could not write. */
  save(): void {
    this.#saving = this.#saving.then(() => this.#save())
  }

  /** Lets go of the memory, ends the making of texts, and resolves when nothing is being written any more. */
  close(): Promise<void> {
    this.#closing.abort()
    this.#opening = undefined
    this.#unsaved = undefined
    return this.#saving
  }

  async #open(searchText: SearchText): Promise<TextColumn | undefined> {
    const {version} = searchText
    const kept = await ifThere(
      withFile(this.#files, this.#path, (fd, size) =>
        size > maxColumnBytes ? undefined : readAll(this.#files, fd, 0, size),
      ),
    )
    const column = kept && TextColumn.open(kept, this.#source, version)
    if (column) return column
    const content = await this.#made(searchText)
    if (!content) return undefined
    this.#unsaved = content
    this.save()
    return TextColumn.open(content, this.#source, version)
  }

  async #made(searchText: SearchText): Promise<Buffer | undefined> {
    const {file, path, handles} = this.#source
    const unpin = handles.pin()
    try {
      if (this.#closing.signal.aborted) return undefined
      const made = await this.#make({file, path, fd: handles.first}, searchText, this.#closing.signal)
      return made && Buffer.from(made.buffer, made.byteOffset, made.length)
    } finally {
      unpin()
    }
  }

  async #save(): Promise<void> {
    const content = this.#unsaved
    if (!content || !this.#source.mayWrite()) return
    this.#unsaved = undefined
    try {
      await this.#files.unlink(this.#path)
      if (!this.#source.mayWrite()) return
      await writeNew(this.#files, this.#path, content)
    } catch {
      // On a full disk the texts in memory serve this process, and the next one makes its own.
    }
  }
}

/** What is ready in time; what was begun goes on for the next search. Throws OverCapacity. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = 'The search texts of these documents are still being made.'
    timer = setTimeout(() => reject(ApiError.of('OverCapacity', {message, retryAfterSeconds: 2})), waitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
