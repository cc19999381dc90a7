import {createReadStream} from 'node:fs'
import {pipeline} from 'node:stream'
import {InputError} from '../../files/input-error.js'
import {countNewlines} from '../encoding/encodings.js'
import type {Source} from '../row.js'

/** A file as it lies on disk. */
export type StoredFile = Pick<Source, 'name' | 'path' | 'compression'>

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8

/** Rows of one piece are parsed together. Smaller pieces: rows that wait survive a garbage collection and are copied. */
const pieceBytes = 32_768
/** What is read from one end to the other, without rows, comes in larger pieces: each is waited for. */
export const wholePieceBytes = 262_144

/** The bytes of a file, decompressed piece by piece. Throws InputError for damaged or cut compressed data. */
export async function* storedBytes(file: StoredFile, chunkBytes = pieceBytes): AsyncGenerator<Buffer> {
  const stored = createReadStream(file.path, {highWaterMark: chunkBytes})
  if (file.compression !== undefined) yield* gunzipped(file, stored, chunkBytes)
  else yield* stored as AsyncIterable<Buffer>
}

async function* gunzipped(
  {name}: StoredFile,
  stored: NodeJS.ReadableStream,
  chunkSize: number,
): AsyncGenerator<Buffer> {
  const {createGunzip} = await import('node:zlib')
  // Members that follow each other are one text. The error arrives through the loop.
  const gunzip = createGunzip({chunkSize: Math.max(64, chunkSize)})
  pipeline(stored, gunzip, () => undefined)
  let lines = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      yield chunk
      lines += countNewlines(chunk)
    }
  } catch (cause) {
    const {code} = cause as NodeJS.ErrnoException
    if (code?.startsWith('Z_') !== true) throw cause
    const isCut = code === 'Z_BUF_ERROR'
    const what = isCut ? 'ends in the middle of its gzip data' : 'has damaged gzip data, or something else behind it'
    throw new InputError(
      `${name} ${what}: ${lines} whole lines could be read.`,
      {file: name, line: lines + 1, remedy: 'Copy or export the file again; `gzip -t` checks it.'},
      {cause},
    )
  }
}
