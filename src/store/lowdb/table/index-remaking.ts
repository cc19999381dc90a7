import {ApiError, StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'

/** The index of a segment that has to be made from its lines. */
export interface IndexJob {
  readonly file: SegmentFile
  readonly path: string
  readonly seed: number
}

/** Makes an index beside the thread that answers. */
export type IndexMaker = (job: IndexJob) => Promise<Uint8Array>

/** The index of a shorter segment is made at once, in less than a slice of time. */
const atOnceBytes = 1 << 20

export const isMadeAtOnce = ({bytes}: SegmentFile): boolean => bytes <= atOnceBytes

interface Remaking extends Omit<IndexJob, 'seed'> {
  /** Absent in a command, which has nobody to answer meanwhile. */
  readonly make: IndexMaker | undefined
  /** Makes it in this thread. */
  readonly makeHere: (seed: number) => Buffer
  readonly made: (content: Uint8Array) => void
}

/** The index of a segment of which a page is damaged, made anew from the lines. */
export class IndexRemaking {
  readonly #options: Remaking
  #making: Promise<void> | undefined
  #content: Buffer | undefined
  #damage: StateError | undefined
  #hasThread = true

  constructor(options: Remaking) {
    this.#options = options
  }

  /** The new content. Throws OverCapacity while it is made in a thread, and StateCorrupt for damaged lines. */
  content(seed: number): Buffer {
    const {make, makeHere, file, path} = this.#options
    if (this.#damage) throw this.#damage
    if (this.#content) return this.#content
    if (!make || !this.#hasThread || isMadeAtOnce(file)) return makeHere(seed)
    this.#making ??= this.#made(make({file, path, seed}))
    const message = 'An index of the state is damaged and is being made again.'
    throw ApiError.of('OverCapacity', {message, retryAfterSeconds: 1})
  }

  async #made(making: Promise<Uint8Array>): Promise<void> {
    try {
      const content = await making
      this.#content = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      this.#options.made(content)
    } catch (error) {
      if (error instanceof StateError) this.#damage = error
      else this.#hasThread = false
    }
  }
}
