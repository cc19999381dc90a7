import {join} from 'node:path'
import {crc32} from 'node:zlib'
import type {Facets} from '../../store.js'
import {type Files, readInto, unlinkQuietly, writeAll} from '../file/files.js'
import {ifThere, withFile} from '../file/private.js'
import {checksumOf, hasValidChecksum, withChecksum} from '../file/sealed-file.js'
import type {State} from './state.js'
import {type FileOf, type Parts, Table} from './table.js'

/*
 * A hint has the directory of a project up to an end of its files, so that opening reads no documents: a line that
 * describes it, and the tables behind one another. It is made again when it is missing, damaged or of other files.
 */

/** A file, how far a hint or a later file counts it, and the checksum of its last commit before that. */
export type Counted = readonly [number: number, end: number, checksum: number]

/** A damaged commit that a repair has set aside: the number of its file, and where it begins. */
export type SetAside = readonly [number: number, at: number]

interface KindPart {
  readonly kind: string
  readonly seed: number
  readonly liveBytes: number
  readonly words: number
  readonly bytes: number
  readonly indexes: readonly number[]
}

interface Description {
  readonly hint: number
  readonly facets: number
  readonly files: readonly Counted[]
  readonly without: readonly SetAside[]
  readonly kinds: readonly KindPart[]
  /** CRC-32 of the tables. */
  readonly crc: number
}

const nameOf = (number: number): string => `documents.${number}.hint`

export const isHint = (name: string): boolean => /^documents\.\d+\.hint/.test(name)

/** Tells the facets of two releases apart, by names and versions: the source of functions differs between builds. */
export const facetsSignature = (facets: Facets): number =>
  checksumOf(
    JSON.stringify(
      Object.entries(facets).map(([kind, functions]) => [
        kind,
        Object.entries(functions).map(([name, {version = 1}]) => [name, version]),
      ]),
    ),
  )

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8

const bytesOf = ({buffer, byteOffset, byteLength}: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/** The bytes of the tables in pieces, each part at a multiple of eight. */
function* pieces(tables: readonly (readonly [string, Table])[]): Generator<Buffer> {
  for (const [, {parts}] of tables) {
    for (const part of [parts.records, ...parts.indexes, parts.heads]) {
      const bytes = bytesOf(part)
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
      const missing = aligned(bytes.length) - bytes.length
      if (missing > 0) yield Buffer.alloc(missing)
    }
  }
}

const pieceBytes = 1 << 20

interface HintOf {
  readonly files: readonly Counted[]
  /** The commits of these files that it does not have. */
  readonly without: readonly SetAside[]
  readonly facets: Facets
  readonly tables: readonly (readonly [kind: string, table: Table])[]
}

/** Writes a hint; what it is checked by needs no sync. `yields` is awaited between pieces. Without room there is none. */
export async function writeHint(
  files: Files,
  directory: string,
  {files: counted, without, facets, tables}: HintOf,
  yields: () => Promise<void> | undefined,
): Promise<void> {
  let crc = 0
  for (const piece of pieces(tables)) {
    crc = crc32(piece, crc)
    const pause = yields()
    if (pause) await pause
  }
  const kinds = tables.map(([kind, {parts, liveBytes}]): KindPart => {
    const {records, heads, indexes, seed} = parts
    return {
      kind,
      seed,
      liveBytes,
      words: records.length,
      bytes: heads.length,
      indexes: indexes.map(({length}) => length),
    }
  })
  const description: Description = {hint: 2, facets: facetsSignature(facets), files: counted, without, kinds, crc}
  const json = withChecksum(JSON.stringify(description))
  const head = Buffer.from(`${json}${' '.repeat(aligned(Buffer.byteLength(json) + 1) - Buffer.byteLength(json) - 1)}\n`)
  const path = join(directory, nameOf(counted.at(-1)?.[0] ?? 0))
  const unfinished = `${path}.unfinished`
  try {
    await files.unlink(unfinished)
    await writePieces(files, unfinished, [head], tables, yields)
    await files.rename(unfinished, path)
  } catch {
    await unlinkQuietly(files, unfinished)
  }
}

async function writePieces(
  files: Files,
  path: string,
  head: readonly Buffer[],
  tables: HintOf['tables'],
  yields: () => Promise<void> | undefined,
): Promise<void> {
  const fd = await files.open(path, 'create')
  try {
    let position = 0
    for (const piece of [...head, ...pieces(tables)]) {
      await writeAll(files, fd, piece, position)
      position += piece.length
      const pause = yields()
      if (pause) await pause
    }
  } finally {
    await files.close(fd)
  }
}

/** What a hint has. */
export interface Hint {
  readonly files: readonly Counted[]
  readonly without: readonly SetAside[]
  readonly kinds: readonly (readonly [kind: string, parts: Parts, liveBytes: number])[]
}

/** The hint beside a file; undefined if there is none that is whole and of these facets. */
export const readHint = (files: Files, directory: string, number: number, facets: Facets): Promise<Hint | undefined> =>
  ifThere(
    withFile(files, join(directory, nameOf(number)), (fd, size) => {
      const all = Buffer.allocUnsafeSlow(size)
      if (readInto(all, size, files, fd, 0).length < size) return undefined
      const end = all.indexOf('\n')
      const line = all
        .subarray(0, end + 1)
        .toString()
        .trimEnd()
      if (end < 0 || !hasValidChecksum(line)) return undefined
      const description = JSON.parse(line) as Description
      const isIt = description.hint === 2 && description.facets === facetsSignature(facets)
      return isIt && crc32(all.subarray(end + 1)) === description.crc ? partsIn(all, end + 1, description) : undefined
    }),
  )

function partsIn(all: Buffer, start: number, {files, without, kinds}: Description): Hint {
  let at = all.byteOffset + start
  const next = (bytes: number): number => {
    at += aligned(bytes)
    return at - aligned(bytes)
  }
  const found = kinds.map(({kind, seed, liveBytes, words, bytes, indexes}) => {
    const records = new Uint32Array(all.buffer, next(words * 4), words)
    const numbers = indexes.map((length) => new Float64Array(all.buffer, next(length * 8), length))
    const heads = Buffer.from(all.buffer, next(bytes), bytes)
    return [kind, {records, indexes: numbers, heads, seed}, liveBytes] as const
  })
  return {files, without, kinds: found}
}

/** Begins a state with what a hint has. */
export function applyHint(state: State, {kinds}: Hint, fileOf: FileOf): void {
  for (const [kind, parts, liveBytes] of kinds) state.collection(kind).load(new Table(parts, fileOf, liveBytes))
}
