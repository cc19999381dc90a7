import {dirname} from 'node:path'
import {crc32} from 'node:zlib'
import type {Facets} from '../../store.js'
import type {DataFile} from '../directory/data-file.js'
import {Entry, noHead} from '../directory/documents.js'
import {type Counted, readHint, type SetAside} from '../directory/hint.js'
import {facetValues, State} from '../directory/state.js'
import {corrupt, type Files} from '../file/files.js'
import {adoptDirectory, readSealed} from '../file/private.js'
import {type Commit, checksumIn, closingLength, linesIn, parsedLine, type Reach, readCommits} from '../line/line.js'
import {type Chain, closeChain, endPathOf, type Opening, openChain, pathOf} from './chain.js'

export interface Loaded {
  readonly state: State
  /** How far each file counts. */
  readonly counted: readonly Counted[]
  readonly without: readonly SetAside[]
  /** Commits that cannot be read, and where the newest file ends if that is not where its holder has closed it. */
  readonly damaged: readonly SetAside[]
  /** Bytes of commits that no hint has. */
  readonly unhinted: number
}

interface Reading extends Opening {
  readonly facets: Facets
}

/** Reads the state of a project from a hint and the commits behind it; undefined if there is none. Throws StateCorrupt. */
export async function load(opening: Reading): Promise<Loaded | undefined> {
  const {files, directory} = opening
  const chain = await openChain(opening)
  if (!chain) return undefined
  try {
    await adoptDirectory(files, directory)
    const loaded = await readChain(chain, opening, true)
    const [first] = loaded.damaged
    if (first) throw corrupt(damageText(directory, first), pathOf(directory, first[0]))
    return loaded
  } catch (error) {
    closeChain(chain)
    throw error
  }
}

export const damageText = (directory: string, [number, at]: SetAside): string =>
  `${pathOf(directory, number)} is damaged at byte ${at}.`

const beginning: Reach = {end: 0, checksum: 0}

/** Reads the commits of files; `byHint` only those that no hint has. */
export async function readChain(chain: Chain, opening: Reading, byHint = false): Promise<Loaded> {
  const {parts, without} = chain
  const state = new State(opening.facets)
  state.files = parts.map(({file}) => file)
  const {first, from} = byHint ? await hinted(chain, state, opening) : {first: 0, from: beginning}
  const [counted, damaged]: [Counted[], SetAside[]] = [[], []]
  let unhinted = 0
  for (const [at, {file, end, checksum}] of parts.entries()) {
    const {number, read} = file
    if (at < first) {
      counted.push([number, end, checksum])
      continue
    }
    const begin = at === first ? from : beginning
    const aside = without.flatMap(([other, place]) => (other === number ? [place] : []))
    const stretch = {read, from: begin.end, to: end, checksum: begin.checksum}
    const found = readCommits(stretch, aside, (commit) => replay(state, commit, file))
    for (const place of found.damaged) damaged.push([number, place])
    const isWhole =
      at === parts.length - 1
        ? await isAsClosed(opening.files, file, end, found)
        : found.end === end && (checksum === 0 || found.checksum === checksum)
    if (!isWhole) damaged.push([number, found.end])
    counted.push([number, found.end, found.checksum])
    unhinted += found.end - begin.end
  }
  return {state, counted, without, damaged, unhinted}
}

/** Whether the newest file, of a size, ends where its holder has closed it, if that has. */
async function isAsClosed(files: Files, {path, number, fd}: DataFile, size: number, reach: Reach): Promise<boolean> {
  const said = await readSealed<Reach>(files, endPathOf(dirname(path), number)).catch(() => undefined)
  if (!said || (said.end === reach.end && said.checksum === reach.checksum)) return true
  // It says so of a longer one where the holder has gone on since.
  return (await files.stat(fd))?.size !== size
}

/** Applies the newest hint that fits; returns the file, and the place in it, from which on commits are read. */
async function hinted(
  {parts, without}: Chain,
  state: State,
  {files, directory, facets}: Reading,
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
    for (const [kind, of] of hint.kinds) state.collection(kind, of)
    return {first, from: {end, checksum}}
  }
  return {first: 0, from: beginning}
}

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
