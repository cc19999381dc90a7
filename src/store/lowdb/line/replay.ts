import {hasValidChecksum, stateFormat, type WrittenRecord} from '../file/checksum.js'
import {corrupt} from '../file/failures.js'
import type {Files} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import {withFile} from '../file/private.js'
import {Entry} from './entry.js'

/** What closes a commit, behind the lines of its documents. */
export interface Closing {
  readonly sequence: number
  /** The highest sequence number that was durable when this line was written. */
  readonly durable: number
  /** How many lines of documents the commit has. */
  readonly count: number
}

const closingText = `{"r":${stateFormat},"s":`
const closingStart = Buffer.from(closingText)

/** The records of a commit: those of its documents, and `{"r":format,"s":sequence,"d":durable,"n":count,"x":checksum}`. */
export function commitRecords(sequence: number, durable: number, entries: readonly Entry[]): WrittenRecord[] {
  return [...entries, {line: `${closingText}${sequence},"d":${durable},"n":${entries.length}`}]
}

interface JournalContent {
  readonly path: string
  /** Sequence number of its first commit. */
  readonly first: number
  /** Its length if sealed; a shorter file is damaged. */
  readonly bytes?: number | undefined
}

/** Reads the line of a document, whose checksum was compared; undefined for a line of another kind. */
type ReadLine<T> = (bytes: Buffer, start: number, end: number) => T | undefined

const isClosing = (line: object): line is Closing => 'durable' in line

/** The lines of a journal with their places: a document's, a commit's end, or undefined for one that cannot be read. */
export function* journalLines<T extends object>(
  files: Files,
  fd: number,
  size: number,
  read: ReadLine<T>,
): Generator<{line: T | Closing | undefined; start: number; end: number}> {
  const reader = new LineReader(files, fd, size)
  while (reader.next()) {
    const {chunk, start, end} = reader
    const isSound = reader.isWhole && hasValidChecksum(chunk, start, end)
    yield {
      line: isSound ? (closingIn(chunk, start, end) ?? read(chunk, start, end)) : undefined,
      start: reader.position,
      end: reader.position + end - start + 1,
    }
  }
}

function closingIn(bytes: Buffer, start: number, end: number): Closing | undefined {
  if (closingStart.compare(bytes, start, Math.min(end, start + closingStart.length)) !== 0) return undefined
  const {s, d, n} = JSON.parse(bytes.toString('latin1', start, end)) as {s: number; d: number; n: number}
  return {sequence: s, durable: d, count: n}
}

export interface ReplayResult {
  /** Length of the complete commits; bytes behind it are not part of the state. */
  readonly length: number
  /** Sequence number of the last complete commit; one below the first if there is none. */
  readonly last: number
}

/**
 * Replays the commits of a journal in order. The first invalid one ends the replay: if a later line shows that it was
 * acknowledged, the state is damaged and refused; otherwise it is a write that never finished.
 */
export function replay<T extends object>(
  files: Files,
  {path, first, bytes, fd, size}: JournalContent & {readonly fd: number; readonly size: number},
  read: ReadLine<T>,
  apply: (documents: readonly T[]) => void,
): ReplayResult {
  let [length, last] = [0, first - 1]
  let isBroken = false
  let documents: T[] = []
  for (const {line, end} of journalLines(files, fd, bytes ?? size, read)) {
    if (line && !isClosing(line)) {
      documents.push(line)
      continue
    }
    isBroken ||= line?.sequence !== last + 1 || line.count !== documents.length
    if (isBroken && line && line.durable > last) {
      throw corrupt(`${path} is damaged at byte ${length}: the acknowledged commit ${last + 1} cannot be read.`, path)
    }
    if (!isBroken && line) {
      apply(documents)
      last = line.sequence
      length = end
    }
    documents = []
  }
  if (bytes !== undefined && length !== bytes) {
    throw corrupt(`${path} is damaged at byte ${length} of ${bytes}.`, path)
  }
  return {length, last}
}

/** Replays the journal at a path. Throws if acknowledged commits cannot be read. */
export const replayFile = (
  files: Files,
  journal: JournalContent,
  apply: (entries: readonly Entry[]) => void = () => {},
): Promise<ReplayResult> =>
  withFile(files, journal.path, (fd, size) => replay(files, {...journal, fd, size}, Entry.ofVerified, apply))
