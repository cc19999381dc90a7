import {crc32} from 'node:zlib'
import type {Document, UniqueKey} from '../../store.js'

/*
 * The lines of a file of documents:
 *
 *     {"format":1,"follows":[[1,4711,439041101]]}                       the first: the files before it, as far as they count
 *     {"kind":"customer","id":"…","keys":["email:…"],"doc":{…}}         a document as a commit left it; without doc, removed
 *     {"commit":"=1a2b3c4d"}                                            closes the lines since the last such line
 *
 * The checksum of a commit is the CRC-32 of its lines, continued from that of the commit before, so that none can be left
 * out, doubled or moved. `=` stands before it where all before the commit was on the disk when it was written, `+` where
 * both were written together, in which case a power cut may have left the later one alone.
 */

interface DocumentLine {
  readonly kind: string
  readonly id: string
  readonly keys?: readonly KeyText[]
  readonly doc?: Document
}

export interface LineHead {
  readonly kind: string
  readonly id: string
  readonly uniqueKeys: readonly UniqueKey[]
}

const documentMark = Buffer.from(',"doc":')

/** The line of a document, with its line feed; of a removed one without `json`. */
export function lineOf({kind, id, uniqueKeys}: LineHead, json: string | undefined): Buffer {
  const start = `{"kind":${JSON.stringify(kind)},"id":${JSON.stringify(id)}`
  if (json === undefined) return Buffer.from(`${start}}\n`)
  const keys = uniqueKeys.length > 0 ? `,"keys":${JSON.stringify(uniqueKeys.map(keyIn))}` : ''
  return Buffer.from(`${start}${keys},"doc":${json}}\n`)
}

/** A unique key in a line. */
export type KeyText = string | {readonly shared: string}

export const keyIn = ({key, shared}: UniqueKey): KeyText => (shared ? {shared: key} : key)

export const keyOf = (key: KeyText): UniqueKey => (typeof key === 'string' ? {key} : {key: key.shared, shared: true})

/** What a line says; undefined if it is no document's. */
export function parsedLine(line: string): (LineHead & {readonly doc: Document | undefined}) | undefined {
  const {kind, id, keys = [], doc} = JSON.parse(line) as DocumentLine
  if (typeof kind !== 'string' || typeof id !== 'string') return undefined
  return {kind, id, uniqueKeys: keys.map(keyOf), doc}
}

/** The JSON of the document of a line, a character for each byte. */
export const documentIn = (line: Buffer): string =>
  // No text before it has such a mark: quotes within texts are escaped.
  line.toString('latin1', line.indexOf(documentMark) + documentMark.length, line.length - 2)

const lineFeed = 10
const closingMark = Buffer.from('\n{"commit":"')
const closingLine = /^\{"commit":"[=+]([0-9a-f]{8})"\}\n$/

export const closingOf = (checksum: number, isJoined = false): string =>
  `{"commit":"${isJoined ? '+' : '='}${checksum.toString(16).padStart(8, '0')}"}\n`

export const closingLength = closingOf(0).length

/** The checksum in a line that closes a commit; undefined if it is none. */
export function checksumIn(closing: string): number | undefined {
  const checksum = closingLine.exec(closing)?.[1]
  return checksum === undefined ? undefined : Number.parseInt(checksum, 16)
}

export function closed(lines: Uint8Array, before: number): {readonly bytes: Buffer; readonly checksum: number} {
  const checksum = crc32(lines, before)
  return {bytes: Buffer.concat([lines, Buffer.from(closingOf(checksum))]), checksum}
}

export interface Commit {
  /** Its lines, without the one that closes it. */
  readonly lines: Buffer
  /** Where they begin and, behind the closing line, end. */
  readonly at: number
  readonly end: number
  /** The one that its closing line has; undefined if that line is damaged. */
  readonly checksum: number | undefined
  readonly isWhole: boolean
  /** Whole, and all before it was on the disk. */
  readonly provesEarlier: boolean
}

const readBytes = 4 << 20

/** A stretch of a file: its end, and the checksum of the commit before it. */
export interface Stretch {
  readonly read: (position: number, length: number) => Buffer
  readonly from: number
  readonly to: number
  readonly checksum: number
}

/** The commit of some bytes, behind one with one of these checksums; `end` is the place in these bytes. */
function commitOf(bytes: Buffer, start: number, closingAt: number, before: readonly number[]): Commit {
  const lines = bytes.subarray(start, closingAt)
  const end = closingAt + closingLength
  const closing = bytes.toString('latin1', closingAt, end)
  const checksum = checksumIn(closing)
  const isWhole = checksum !== undefined && before.some((one) => crc32(lines, one) === checksum)
  return {lines, at: start, end, checksum, isWhole, provesEarlier: isWhole && !closing.includes('+')}
}

/** A closing line whose beginning is damaged still separates two commits. */
const damagedClosing = /[\s\S]{11}[=+][0-9a-f]{8}"\}\n/

/** All commits of a stretch, whole or not, but for one at its end that was not closed. */
export function* commitsIn({read, from, to, checksum}: Stretch): Generator<Commit> {
  let rest: Buffer = Buffer.alloc(0)
  let [position, before, searched] = [from, [checksum], 0]
  while (position < to) {
    const piece = read(position, Math.min(readBytes, to - position))
    if (piece.length === 0) return
    position += piece.length
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const first = position - rest.length
    let start = 0
    for (;;) {
      const mark = rest.indexOf(closingMark, Math.max(start, searched))
      if (mark < 0 || mark + 1 + closingLength > rest.length) break
      let commit = commitOf(rest, start, mark + 1, before)
      if (!commit.isWhole) {
        const damaged = commit.lines.toString('latin1').search(damagedClosing)
        if (damaged >= 0) commit = commitOf(rest, start, start + damaged, before)
      }
      const {lines, end, checksum: claimed, isWhole} = commit
      yield {...commit, at: first + start, end: first + end}
      // Either its lines or its closing line are damaged.
      before = isWhole ? [claimed as number] : [...(claimed === undefined ? [] : [claimed]), crc32(lines, before[0])]
      start = end
    }
    searched = Math.max(0, rest.length - start - closingLength - 1)
    rest = rest.subarray(start)
  }
}

/** Where the whole commits of a stretch end. */
export interface Reach {
  readonly end: number
  readonly checksum: number
}

export interface Reading extends Reach {
  /** Where damaged commits begin that others prove to have been acknowledged. */
  readonly damaged: readonly number[]
}

/**
 * Calls `see` for each whole commit. What stands behind the last one was never acknowledged; a damaged one before it was.
 * Those of `without` are passed over.
 */
export function readCommits(stretch: Stretch, without: readonly number[], see: (commit: Commit) => void): Reading {
  let reach: Reach = {end: stretch.from, checksum: stretch.checksum}
  const damaged: number[] = []
  const broken: number[] = []
  for (const commit of commitsIn(stretch)) {
    const {at, end, checksum = 0, isWhole, provesEarlier} = commit
    if (provesEarlier) damaged.push(...broken.splice(0))
    if (without.includes(at)) reach = {end, checksum}
    else if (!isWhole) broken.push(at)
    else if (broken.length === 0) {
      see(commit)
      reach = {end, checksum}
    }
  }
  return {...reach, damaged}
}

/** The lines of a commit: where each begins, and where it ends behind its line feed. */
export function* linesIn({lines, at}: Commit): Generator<{readonly line: Buffer; readonly at: number}> {
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(lineFeed, start) + 1
    yield {line: lines.subarray(start, end), at: at + start}
    start = end
  }
}
