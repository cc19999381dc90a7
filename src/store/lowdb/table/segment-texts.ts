import {ApiError} from '../../../domain/errors.js'
import type {Work} from '../../adapter/scans.js'
import type {Contains, SearchText} from '../../searchable.js'
import type {Files} from '../file/files.js'
import type {SegmentFile} from '../file/manifest.js'
import {ifThere, withFile} from '../file/private.js'
import type {Entry} from '../line/entry.js'
import type {Visit} from './layer.js'
import type {OpenFiles} from './open-files.js'
import type {SideFile} from './side-file.js'
import {maxColumnBytes, readInSlices, TextColumn, type TextMaker} from './text-column.js'

/** The name of a segment's search texts. */
export const textsName = (segmentName: string): string => segmentName.replace(/\.(\d+)\.ndjson$/, '.texts.$1.idx')

/** How long a search waits for texts that are being made: less than a command waits for an answer. */
const waitMs = 25_000

/** What the texts need of their segment. */
interface Source {
  readonly file: SegmentFile
  readonly path: string
  readonly handles: OpenFiles
  get(id: string): Entry | undefined
}

interface TextOptions {
  readonly files: Files
  readonly makeTexts: TextMaker
}

/** The search texts of a segment: read from the file beside it, or made from its documents by the first search. */
export class SegmentTexts {
  readonly #source: Source
  readonly #column: SideFile
  readonly #options: TextOptions
  readonly #closing = new AbortController()
  #opening: Promise<TextColumn | undefined> | undefined

  constructor(source: Source, column: SideFile, options: TextOptions) {
    this.#source = source
    this.#column = column
    this.#options = options
  }

  /** Visits entries whose texts have what is asked, ascending by id; false if the texts are too many for memory, or the segment was replaced. */
  async search(contains: Contains, searchText: SearchText, visit: Visit, work: Work): Promise<boolean> {
    const column = await work.wait(inTime(this.open(searchText)))
    if (!column) return false
    await column.search(contains, visit, () => work.step())
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
  save(): Promise<void> {
    return this.#column.save()
  }

  /** Lets go of the memory, and ends the making of texts. */
  close(): void {
    this.#closing.abort()
    this.#opening = undefined
  }

  async #open(searchText: SearchText): Promise<TextColumn | undefined> {
    const {version} = searchText
    const {files} = this.#options
    const kept = await ifThere(
      withFile(files, this.#column.path, (fd, size) =>
        size > maxColumnBytes ? undefined : readInSlices(files, fd, size),
      ),
    )
    const column = kept && (await TextColumn.open(kept, this.#source, version))
    if (column) return column
    const content = await this.#made(searchText)
    if (!content) return undefined
    this.#column.replace(content)
    return TextColumn.open(content, this.#source, version)
  }

  async #made(searchText: SearchText): Promise<Buffer | undefined> {
    const {file, path, handles} = this.#source
    const {signal} = this.#closing
    const unpin = handles.pin()
    try {
      if (signal.aborted) return undefined
      const made = await this.#options.makeTexts({file, path, fd: handles.first}, searchText, signal)
      return made && Buffer.from(made.buffer, made.byteOffset, made.length)
    } finally {
      unpin()
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
