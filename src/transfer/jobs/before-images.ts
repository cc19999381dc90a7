import {constants, existsSync, statSync} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {BeforeImage, ChangedImage} from '../../domain/customers/before-image.js'
import type {Written} from '../../domain/customers/written.js'
import {removeQuietly} from '../../files/private-file.js'
import {lineAt, linesOf} from '../files/lines.js'
import {filesIn, mayForget} from './jobs.js'
import {Journal, parsedLine} from './journal.js'

/**
 * What the updates of a job replaced, kept beside its journal so that the job can be taken back: private files, since
 * they hold personal values. They go after a while, when the job was taken back, and line by line with each customer.
 */

const {O_NOFOLLOW = 0, O_RDONLY} = constants

const imageSuffix = '.before.jsonl'
/** Of one job; later updates of it cannot be taken back. */
const mostBytes = 2 ** 30
/** Of all jobs; the oldest go first. */
const mostBytesInAll = 4 * mostBytes

export const imagesPath = (dir: string, job: string): string => join(dir, `${job}${imageSuffix}`)

/** One update that was about to be sent. */
export interface KeptImage extends BeforeImage, Partial<Pick<ChangedImage, 'after'>> {
  readonly row: number
  readonly id: string
  readonly version: number
  /** The highest version that the actions alone can lead to. */
  readonly upTo: number
  /** What earlier runs had written of the customer. */
  readonly written?: Written
}

/** Keeps before-images, each in the file before its update is sent. */
export class BeforeImages {
  readonly #path: string
  readonly #most: number
  #file: Promise<Journal<KeptImage>> | undefined
  #bytes = 0
  /** Images of rows that an earlier run of the job did not finish, by row. */
  #open: Awaited<ReturnType<typeof openImages>> = new Map()

  constructor(path: string, most: number = mostBytes) {
    this.#path = path
    this.#most = most
  }

  /** Goes on with the images of a job. `isOpen`: whether a row is unfinished. */
  async resume(isOpen: (row: number) => boolean): Promise<void> {
    this.#open = await openImages(this.#path, isOpen)
  }

  /** The image that an earlier run kept for a row. */
  earlier(row: number): {readonly image: KeptImage; readonly at: number} | undefined {
    return this.#open.get(row)
  }

  /** Where the image is in the file, once it is there; undefined if there is no room for it. */
  async keep(image: KeptImage): Promise<number | undefined> {
    this.#file ??= this.#opened()
    const file = await this.#file
    const line = JSON.stringify(image)
    const length = Buffer.byteLength(line) + 1
    if (this.#bytes + length > this.#most) return undefined
    const at = this.#bytes
    this.#bytes += length
    file.appendText(line)
    await file.flush()
    return at
  }

  async #opened(): Promise<Journal<KeptImage>> {
    let size = 0
    if (existsSync(this.#path)) for await (const {end} of linesOf(this.#path)) size = end
    this.#bytes = size
    return Journal.after(this.#path, size)
  }

  async close(): Promise<void> {
    await (await this.#file)?.close()
  }
}

/** The last images of rows that a job did not finish, by row. */
export async function openImages(path: string, isOpen: (row: number) => boolean) {
  const found = new Map<number, {readonly image: KeptImage; readonly at: number}>()
  if (!existsSync(path)) return found
  for await (const {text, start: at} of linesOf(path)) {
    const image = imageIn(text)
    if (image && isOpen(image.row)) found.set(image.row, {image, at})
  }
  return found
}

/** A line of the file; undefined for one that was cut off or overwritten. */
export const imageIn = (text: string): KeptImage | undefined => parsedLine(text) as KeptImage | undefined

export class ImageReader {
  readonly #path: string
  #file: Promise<FileHandle | undefined> | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** The image at a place; undefined if it was never there, or is gone. */
  async at<T extends {readonly id: string} = KeptImage>(place: number, id: string): Promise<T | undefined> {
    this.#file ??= open(this.#path, O_RDONLY | O_NOFOLLOW).catch(() => undefined)
    const file = await this.#file
    if (!file) return undefined
    const image = parsedLine((await lineAt(file, place)).toString()) as T | undefined
    return image?.id === id ? image : undefined
  }

  async close(): Promise<void> {
    await (await this.#file)?.close()
  }
}

/** The files of all jobs, the latest first. */
export const imageFiles = (dir: string) =>
  filesIn(dir)
    .filter((name) => name.endsWith(imageSuffix))
    .flatMap((name) => {
      const path = join(dir, name)
      const stats = statSync(path, {throwIfNoEntry: false})
      return stats ? [{path, at: stats.mtimeMs, bytes: stats.size}] : []
    })
    .toSorted((one, other) => other.at - one.at)

export const jobOfImages = (path: string): string => basename(path, imageSuffix)

/** Removes the oldest images of too many, but for those of a job that is at work. */
export async function pruneImages(dir: string): Promise<void> {
  let bytes = 0
  for (const {path, bytes: more} of imageFiles(dir)) {
    bytes += more
    if (bytes > mostBytesInAll && (await mayForget(dir, jobOfImages(path)))) removeQuietly(path)
  }
}
