import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import {DataFile} from '../directory/data-file.js'
import type {Documents} from '../directory/documents.js'
import type {Counted, SetAside} from '../directory/hint.js'
import {type Awaitable, corrupt, type Files, unlinkQuietly, writeNew} from '../file/files.js'
import {assertKnownFormat, ifThere, openPrivate, stateFormat, writeSealed} from '../file/private.js'
import {commitsIn, type Reach} from '../line/line.js'

/*
 * The documents of a project are in files `documents.N.jsonl`, one for each holder that wrote, until copying joins them.
 * The one with the highest number is in effect: its first line names those before it, and how far each counts, so that a
 * holder who was forced out or stalled writes where nobody reads. Decision 75.
 */

const fileName = /^documents\.(\d+)\.([a-z.]+)$/

function numberIn(name: string, ends: readonly string[]): number {
  const [, number, end = ''] = fileName.exec(name) ?? []
  return ends.includes(end) ? Number(number) : 0
}

/** The number of a file of documents; 0 for another file. */
export const numberOf = (name: string): number => numberIn(name, ['jsonl'])

export const pathOf = (directory: string, number: number): string => join(directory, `documents.${number}.jsonl`)

/** Where a holder says that its file is there, and when it closes it how far it goes. */
export const endPathOf = (directory: string, number: number): string => join(directory, `documents.${number}.end`)

/** The highest number of what is beside files of documents: it was made once the first line of the file was on the disk. */
export const besideNumber = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => numberIn(name, ['end', 'hint'])))

/** The highest number of a file of documents, and what tells whether another process has written since. */
export interface Newest {
  readonly number: number
  readonly mark: string
}

export async function newestIn(files: Files, directory: string): Promise<Newest> {
  const number = Math.max(0, ...(await files.list(directory)).map(numberOf))
  const path = pathOf(directory, number)
  return {number, mark: `${number} ${files.identity(path)} ${(await files.stat(path))?.size}`}
}

/**
 * Removes what is not needed any more beside the files with these numbers and the newest hint. The highest is that of this
 * holder: a file above it is of one that has taken over.
 */
export async function removeRemains(
  files: Files,
  directory: string,
  kept: readonly number[],
  remove: (path: string) => Awaitable<void> = (path) => unlinkQuietly(files, path),
): Promise<void> {
  const own = Math.max(...kept)
  const names = await files.list(directory)
  const hint = Math.max(0, ...names.map((name) => numberIn(name, ['hint'])))
  const keeps = new Map<string, readonly number[]>(Object.entries({jsonl: kept, end: [own], hint: [hint]}))
  for (const name of names) {
    const [, digits, end = ''] = fileName.exec(name) ?? []
    const number = Number(digits ?? Infinity)
    if (number <= own && !keeps.get(end)?.includes(number)) await remove(join(directory, name))
  }
}

/**
 * Says that a file is there, so that it cannot go unnoticed, and at its end how far it goes, so that one that is cut later is
 * damaged. Best effort: the state is complete without it.
 */
export async function writeEnd(files: Files, directory: string, number: number, reach?: Reach): Promise<void> {
  const path = endPathOf(directory, number)
  try {
    await files.unlink(path)
    if (reach) await writeSealed(files, path, reach, false)
    else await writeNew(files, path, '', false)
  } catch {
    await unlinkQuietly(files, path)
  }
}

interface Header {
  readonly follows: readonly Counted[]
  readonly without?: readonly SetAside[]
}

export const headerLine = ({follows, without = []}: Header): Buffer =>
  Buffer.from(`${JSON.stringify({format: stateFormat, follows, ...(without.length > 0 ? {without} : {})})}\n`)

interface Part {
  readonly file: DataFile
  /** How far it counts; of the newest its size. */
  readonly end: number
  readonly checksum: number
}

/** The files in effect, the oldest first, each open. */
export interface Chain {
  readonly parts: readonly Part[]
  readonly without: readonly SetAside[]
  /** The numbers of files that others name and that are not there. */
  readonly missing: ReadonlySet<number>
  /** Why it is unknown which files are in effect: then the parts are all that are there. */
  readonly problem?: StateError
}

export const closeChain = (chain: Chain | undefined): void => {
  for (const {file} of chain?.parts ?? []) file.retire()
}

export interface Opening {
  readonly files: Files
  readonly directory: string
  readonly documents: Documents
}

/** Opens the files in effect; undefined if there are none. Throws StateCorrupt. */
export async function openChain(opening: Opening): Promise<Chain | undefined> {
  const chain = await findChain(opening)
  if (!chain?.problem) return chain
  closeChain(chain)
  throw chain.problem
}

/** As `openChain`, for a repair: with what is there. */
export async function findChain(opening: Opening): Promise<Chain | undefined> {
  const attempts = 10
  for (let attempt = 1; ; attempt += 1) {
    const opened = new Map<number, Part>()
    let chain: Chain | undefined
    try {
      chain = await chainNow(opening, opened)
    } finally {
      for (const {file} of opened.values()) if (!chain?.parts.some((part) => part.file === file)) file.retire()
    }
    // A writer may have joined the files meanwhile.
    if (!chain || chain.missing.size === 0 || attempt === attempts) return chain
    closeChain(chain)
  }
}

async function chainNow({files, directory, documents}: Opening, opened: Map<number, Part>): Promise<Chain | undefined> {
  const names = await files.list(directory)
  const beside = besideNumber(names)
  const numbers = [...new Set([beside, ...names.map(numberOf)])].filter((number) => number > 0).sort((a, b) => b - a)
  if (!names.some(numberOf) && names.some((name) => name.startsWith('MANIFEST.'))) throw former(directory)
  const missing = new Set<number>()
  const open = async (number: number): Promise<Part | undefined> => {
    const path = pathOf(directory, number)
    const found = opened.has(number) ? undefined : await ifThere(openPrivate(files, path, 'read'))
    const file = found && new DataFile(files, {number, path, fd: found.fd}, documents)
    if (found && file) opened.set(number, {file, end: found.size, checksum: 0})
    if (!opened.has(number)) missing.add(number)
    return opened.get(number)
  }
  const all = async (number: number, message: string): Promise<Chain> => {
    for (const one of numbers.toReversed()) {
      const header = headerIn(await open(one))
      for (const [earlier] of header === 'damaged' ? [] : (header?.follows ?? [])) await open(earlier)
    }
    const path = pathOf(directory, number)
    const parts = [...opened.values()].sort((a, b) => a.file.number - b.file.number)
    return {parts, without: [], missing, problem: corrupt(`${path} ${message}`, path)}
  }
  for (const number of numbers) {
    const newest = await open(number)
    const header = headerIn(newest)
    if (header === 'damaged' || (!header && beside === number))
      return all(number, newest ? 'is damaged at its beginning.' : 'is missing.')
    if (!newest || !header) continue
    const parts: Part[] = []
    for (const [earlier, end, checksum] of header.follows) {
      const part = await open(earlier)
      if (part) parts.push({file: part.file, end, checksum})
    }
    if (missing.size === 0) return {parts: [...parts, newest], without: header.without ?? [], missing}
  }
  const [lost] = missing
  return lost === undefined ? undefined : all(lost, 'is missing.')
}

function former(path: string): StateError {
  const last = "'frontdesk server migrate-store' of commit 9fa0e815 is the last that reads it."
  const remedy = `Move it to a database and back: ${last}`
  return new StateError('StateVersion', `${path} has files of a former format.`, path, remedy)
}

/** The first line of a file; undefined for one that a holder has begun and not finished. */
function headerIn(part: Part | undefined): Header | 'damaged' | undefined {
  if (!part) return undefined
  const {file, end} = part
  let isFirst = true
  for (const {isWhole, provesEarlier, lines} of commitsIn({read: file.read, from: 0, to: end, checksum: 0})) {
    if (isFirst && isWhole) {
      const {format, ...header} = JSON.parse(lines.toString()) as Header & {readonly format: unknown}
      assertKnownFormat(format, file.path)
      return header
    }
    if (provesEarlier) return 'damaged'
    isFirst = false
  }
  return undefined
}
