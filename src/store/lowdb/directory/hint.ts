import {join} from 'node:path'
import {crc32} from 'node:zlib'
import type {Facet, Facets} from '../../store.js'
import {type Files, readInto, unlinkQuietly, writeAll} from '../file/files.js'
import {hasValidChecksum, ifThere, withChecksum, withFile} from '../file/private.js'
import type {Parts} from './collection.js'
import {recordBytes} from './records.js'
import type {State} from './state.js'

/*
 * A hint has the directory of a project up to an end of its files, so that opening reads no documents: the parts of its
 * collections behind one another, and a last line that describes them. It is made again when it is missing, damaged or of
 * other files. It is written while commits go on: what they change is in it in part, and is read again from the files.
 */

/** A file, how far a hint or a later file counts it, and the checksum of its last commit before that. */
export type Counted = readonly [number: number, end: number, checksum: number]

/** A damaged commit that a repair has set aside: the number of its file, and where it begins. */
export type SetAside = readonly [number: number, at: number]

interface Description {
  readonly hint: number
  readonly facets: number
  readonly files: readonly Counted[]
  readonly without: readonly SetAside[]
  /** Where the newest file ended when the hint was written: it may know of all before that. */
  readonly written: number
  readonly kinds: readonly {
    readonly kind: string
    readonly seed: number
    readonly size: number
    readonly textBytes: number
    readonly lists: readonly number[]
  }[]
  readonly crc: number
}

const nameOf = (number: number): string => `documents.${number}.hint`

/** Tells the facets of two releases apart, by names and versions: the source of functions differs between builds. */
const facetsSignature = (facets: Facets): number =>
  crc32(JSON.stringify(facets, (_, value) => (typeof value === 'function' ? ((value as Facet).version ?? 1) : value)))

const pieceBytes = 1 << 20

type Kinds = readonly (readonly [kind: string, parts: Parts])[]

/** The bytes of collections in pieces; texts come last, since numbers have to begin at multiples of eight. */
function* pieces(kinds: Kinds): Generator<Buffer> {
  const numbers = kinds.flatMap(([, {places, lists, numbers: own}]) => [places, ...lists, own])
  for (const {buffer, byteOffset, byteLength} of [...numbers, ...kinds.map(([, {texts}]) => texts)]) {
    const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
}

interface HintOf extends Pick<Description, 'files' | 'without'> {
  readonly facets: Facets
  /** The parts of now, when the files end where they are counted. */
  readonly kinds: Kinds
  readonly end: () => number
}

export const partsOf = (state: State): Kinds =>
  [...state.collections].map(([kind, collection]) => [kind, collection.parts()] as const)

/** Writes a hint; what it is checked by needs no sync. `yields` is awaited between pieces. Without room there is none. */
export async function writeHint(
  files: Files,
  directory: string,
  {files: counted, without, facets, kinds, end}: HintOf,
  yields: () => Promise<void> | undefined,
): Promise<void> {
  const path = join(directory, nameOf(counted.at(-1)?.[0] ?? 0))
  const unfinished = `${path}.unfinished`
  try {
    await files.unlink(unfinished)
    const fd = await files.open(unfinished, 'create')
    try {
      let [position, crc] = [0, 0]
      for (const piece of pieces(kinds)) {
        // What changes meanwhile must not come between its checksum and the file.
        const bytes = Buffer.from(piece)
        crc = crc32(bytes, crc)
        await writeAll(files, fd, bytes, position)
        position += bytes.length
        const pause = yields()
        if (pause) await pause
      }
      const described = kinds.map(([kind, {seed, places, texts, lists}]) => {
        return {kind, seed, size: places.length, textBytes: texts.length, lists: lists.map(({length}) => length)}
      })
      const description: Description = {
        ...{hint: 4, facets: facetsSignature(facets), files: counted, without},
        ...{written: end(), kinds: described, crc},
      }
      await writeAll(files, fd, Buffer.from(`\n${withChecksum(JSON.stringify(description))}`), position)
    } finally {
      await files.close(fd)
    }
    await files.rename(unfinished, path)
  } catch {
    await unlinkQuietly(files, unfinished)
  }
}

export interface Hint extends Pick<Description, 'files' | 'without' | 'written'> {
  readonly kinds: Kinds
}

/** The hint beside a file; undefined if there is none that is whole and of these facets. */
export const readHint = (files: Files, directory: string, number: number, facets: Facets): Promise<Hint | undefined> =>
  ifThere(
    withFile(files, join(directory, nameOf(number)), (fd, size) => {
      const all = readInto(Buffer.allocUnsafeSlow(size), size, files, fd, 0)
      const end = all.lastIndexOf('\n')
      const line = all.toString('utf8', end + 1)
      if (end < 0 || !hasValidChecksum(line)) return undefined
      const {kinds, crc, ...rest} = JSON.parse(line) as Description
      const isIt = rest.hint === 4 && rest.facets === facetsSignature(facets) && crc32(all.subarray(0, end)) === crc
      return isIt ? {...rest, kinds: partsIn(all, kinds)} : undefined
    }),
  )

function partsIn({buffer, byteOffset}: Buffer, kinds: Description['kinds']): Kinds {
  let at = byteOffset
  const next = (bytes: number): number => {
    at += bytes
    return at - bytes
  }
  const floats = (length: number) => new Float64Array(buffer, next(length * 8), length)
  const numbers = kinds.map(({size, lists}) => ({
    places: floats(size),
    lists: lists.map(floats),
    numbers: new Uint32Array(buffer, next(size * recordBytes), (size * recordBytes) / 4),
  }))
  return kinds.map(({kind, seed, textBytes}, index) => {
    const texts = Buffer.from(buffer, next(textBytes), textBytes)
    return [kind, {...(numbers[index] as (typeof numbers)[number]), texts, seed}]
  })
}
