import {dirname} from 'node:path'
import {crc32} from 'node:zlib'
import type {StateError} from '../../../domain/errors.js'
import {assertPrivate} from '../../../files/private-file.js'
import type {Facets} from '../../store.js'
import type {DataFile} from '../directory/data-file.js'
import {Entry, noHead} from '../directory/documents.js'
import {type Counted, readHint} from '../directory/hint.js'
import {facetValues, State} from '../directory/state.js'
import {corrupt} from '../file/failures.js'
import type {Files} from '../file/files.js'
import {readSealed} from '../file/sealed-file.js'
import {
  type Commit,
  checksumIn,
  closingLength,
  linesIn,
  parsedLine,
  type Reach,
  type Reading,
  readCommits,
} from '../line/line.js'
import {type Chain, closeChain, endPathOf, type Opening, openChain} from './chain.js'

export interface Loaded {
  readonly state: State
  readonly chain: Chain
  /** Where the newest file ends. */
  readonly reach: Reach
  /** Bytes of commits that no hint has. */
  readonly unhinted: number
}

/** Reads the state of a project from a hint and the commits behind it; undefined if there is none. Throws StateCorrupt. */
export async function load(opening: Opening & {readonly facets: Facets}): Promise<Loaded | undefined> {
  const chain = await openChain(opening)
  if (!chain) return undefined
  try {
    const stat = await opening.files.stat(opening.directory)
    if (stat) assertPrivate(stat, opening.directory)
    return await loaded(chain, opening)
  } catch (error) {
    closeChain(chain)
    throw error
  }
}

async function loaded(chain: Chain, {files, directory, facets}: Opening & {readonly facets: Facets}): Promise<Loaded> {
  const state = new State(facets)
  state.files = chain.parts.map(({file}) => file)
  const {first, from} = await hinted(chain, state, {files, directory, facets})
  let [reach, unhinted]: [Reach, number] = [from, 0]
  for (const [at, {file, end, checksum}] of chain.parts.entries()) {
    if (at < first) continue
    const begin = at === first ? from : {end: 0, checksum: 0}
    const reading = readPart(chain, at, begin, state)
    reach = reading
    const isCut = at < chain.parts.length - 1 && (reach.end !== end || reach.checksum !== checksum)
    if (reading.damaged.length > 0 || isCut) throw corrupt(`${file.path} is damaged.`, file.path)
    unhinted += reach.end - begin.end
  }
  if (!(await isAsClosed(files, chain, reach))) throw notAsClosed(chain)
  return {state, chain, reach, unhinted}
}

/** Applies the commits of one of the files, from a place on. */
export function readPart({parts, without}: Chain, at: number, from: Reach, state: State): Reading {
  const {file, end} = parts[at] as Chain['parts'][number]
  const aside = without.flatMap(([number, begin]) => (number === file.number ? [begin] : []))
  const stretch = {read: file.read, from: from.end, to: end, checksum: from.checksum}
  return readCommits(stretch, aside, (commit) => replay(state, commit, file))
}

/** Whether the newest file ends where its holder has closed it, if that has. */
export async function isAsClosed(files: Files, {parts}: Chain, {end, checksum}: Reach): Promise<boolean> {
  const newest = parts.at(-1)
  if (!newest) return true
  const {path, number, fd} = newest.file
  const said = await readSealed(files, endPathOf(dirname(path), number)).catch(() => undefined)
  if (!said || (Reflect.get(said, 'end') === end && Reflect.get(said, 'checksum') === checksum)) return true
  // It says so of a longer one where the holder has gone on since.
  return (await files.stat(fd))?.size !== newest.end
}

export const notAsClosed = ({parts}: Chain): StateError => {
  const path = parts.at(-1)?.file.path ?? ''
  return corrupt(`${path} does not end where it was closed.`, path)
}

/** Applies the newest hint that fits; returns the file, and the place in it, from which on commits are read. */
async function hinted(
  {parts, without}: Chain,
  state: State,
  {files, directory, facets}: {readonly files: Files; readonly directory: string; readonly facets: Facets},
): Promise<{readonly first: number; readonly from: Reach}> {
  for (let first = parts.length - 1; first >= 0; first -= 1) {
    const hint = await readHint(files, directory, parts[first]?.file.number ?? 0, facets)
    const [, end = 0, checksum = 0] = hint?.files.at(-1) ?? []
    if (
      !hint ||
      hint.files.length !== first + 1 ||
      // A repair has set commits aside since.
      JSON.stringify(hint.without) !== JSON.stringify(without) ||
      (parts[first]?.end ?? 0) < hint.written ||
      !hint.files.every((one, at) => fits(one, parts[at], at === first))
    ) {
      continue
    }
    for (const [kind, of] of hint.kinds) state.collection(kind, {parts: of, files: state.files})
    return {first, from: {end, checksum}}
  }
  return {first: 0, from: {end: 0, checksum: 0}}
}

/** Whether a hint counts a file as it is. */
function fits([number, end, checksum]: Counted, part: Chain['parts'][number] | undefined, isLast: boolean): boolean {
  if (part?.file.number !== number || end < closingLength) return false
  if (isLast ? part.end < end : part.end !== end || part.checksum !== checksum) return false
  return checksumIn(part.file.read(end - closingLength, closingLength).toString('latin1')) === checksum
}

/** Takes over a commit; the first of each file tells of files only. */
function replay(state: State, commit: Commit, file: DataFile): void {
  for (const {line, at} of linesIn(commit)) {
    const parsed = parsedLine(line.toString())
    if (!parsed) continue
    const {kind, id, uniqueKeys, doc} = parsed
    const collection = state.collection(kind)
    const head = doc ? {uniqueKeys, facets: facetValues(collection.facets, doc)} : noHead
    collection.put(new Entry(id, doc?.version ?? 0, head, {file, at, size: line.length, crc: crc32(line)}))
  }
}
