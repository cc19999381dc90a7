import {isObject} from '../domain/equal.js'
import {limits} from '../work/limits.js'
import {QueryError} from './query-error.js'

/** A member name; if the member is an array, the element at index `at`, or all elements. */
interface ExpandSegment {
  readonly name: string
  readonly at?: number | '*'
}

export type ExpandPath = readonly ExpandSegment[]

const maxChars = 500

const segmentForm = /^([A-Za-z_][A-Za-z0-9_-]*|[A-Za-z0-9_-]{2,256})(?:\[(\*|[0-9]{1,5})\])?$/

function parseSegment(text: string, path: string): ExpandSegment {
  const [, name, at] = segmentForm.exec(text) ?? []
  if (name === undefined) {
    throw new QueryError('expand', `Expected member names joined by dots, with [*] or [n] for arrays, not '${path}'`)
  }
  if (at === undefined) return {name}
  return {name, at: at === '*' ? at : Number(at)}
}

/**
 * Parses the paths of `expand`. Throws QueryError for ill-formed paths, more than 20, and more than eight segments; a
 * path that does not exist in the document is no error. Decision 17.
 */
export function parseExpand(texts: readonly string[]): ExpandPath[] {
  if (texts.length > limits.expandPaths) {
    throw new QueryError('expand', `The expand parameter may be given at most ${limits.expandPaths} times`)
  }
  return texts.map((text) => {
    if (text.length > maxChars) throw new QueryError('expand', `A path has at most ${maxChars} characters`)
    const path = text.split('.').map((segment) => parseSegment(segment, text))
    if (path.length > limits.expandDepth) {
      throw new QueryError('expand', `The path '${text}' is deeper than ${limits.expandDepth} segments`)
    }
    return path
  })
}

export interface Reference {
  readonly typeId: string
  readonly id: string
}

/** Loads the resources of references in one batch, by `referenceKey`. Missing ones stay unexpanded. */
export type Load = (references: readonly Reference[]) => Promise<ReadonlyMap<string, object>>

export const referenceKey = ({typeId, id}: Reference): string => `${typeId}/${id}`

/** Key references have no id and are never expanded. */
function isReference(value: unknown): value is Reference & object {
  if (!isObject(value) || !Object.hasOwn(value, 'typeId') || !Object.hasOwn(value, 'id')) return false
  const {typeId, id} = value
  return typeof typeId === 'string' && typeof id === 'string' && !typeId.includes('/')
}

/** A trie of paths. The reference at each branch is expanded, whether a path ends there or continues. */
interface Branch {
  readonly segment: ExpandSegment
  readonly below: Branch[]
}

function branchesOf(paths: readonly ExpandPath[]): Branch[] {
  const root: Branch[] = []
  for (const path of paths) {
    let level = root
    for (const segment of path) {
      let branch = level.find(({segment: {name, at}}) => name === segment.name && at === segment.at)
      if (branch === undefined) {
        branch = {segment, below: []}
        level.push(branch)
      }
      level = branch.below
    }
  }
  return root
}

/** The members or elements of `value` that a segment selects. */
function reached(value: unknown, {name, at}: ExpandSegment): unknown[] {
  if (!isObject(value) || !Object.hasOwn(value, name)) return []
  const member: unknown = Reflect.get(value, name)
  if (at === undefined) return [member]
  if (!Array.isArray(member)) return []
  return at === '*' ? member : member.slice(at, at + 1)
}

export interface ExpandBudget {
  readonly bytesOf: (document: object) => number
  /** Counts bytes and references of the answer, and tells whether they fit. */
  readonly fits: (bytes: number, references: number) => boolean
  readonly hasRoom: (bytes: number, references: number) => boolean
  /** Yields to the event loop; awaited if it returns a promise. */
  readonly pause: () => Promise<void> | undefined
}

type Loaded = ReadonlyMap<string, object | undefined>

/** Adds the references at the branches that are not loaded yet, also inside loaded resources. */
function collect(value: unknown, branches: readonly Branch[], loaded: Loaded, wanted: Map<string, Reference>): void {
  for (const {segment, below} of branches) {
    for (const target of reached(value, segment)) {
      if (!isReference(target)) {
        collect(target, below, loaded, wanted)
        continue
      }
      const key = referenceKey(target)
      if (loaded.has(key)) collect(loaded.get(key), below, loaded, wanted)
      else wanted.set(key, {typeId: target.typeId, id: target.id})
    }
  }
}

/** Thrown inside an expansion that does not fit. */
class Overdrawn extends Error {}

/** The resource of a reference that is shown. */
type Found = (reference: Reference) => object | undefined

const memberBytes = ',"obj":'.length

function grow(target: unknown, below: readonly Branch[], found: Found): unknown {
  if (!isReference(target)) return rebuild(target, below, found)
  const resource = found(target)
  return resource === undefined ? target : {...target, obj: rebuild(resource, below, found)}
}

/** A member with what its branches expand, each for the whole, for all elements or for one. */
function rebuildMember(member: unknown, branches: readonly Branch[], found: Found): unknown {
  const grownBy = (value: unknown, applies: (at: ExpandSegment['at']) => boolean): unknown => {
    const here = branches.filter(({segment}) => applies(segment.at))
    const below = here.flatMap((branch) => branch.below)
    return here.length > 0 ? grow(value, below, found) : value
  }
  if (!Array.isArray(member)) return grownBy(member, (at) => at === undefined)
  return member.map((element: unknown, n) => grownBy(element, (at) => at === '*' || at === n))
}

/** A copy of `value` with `obj` beside the references that the branches name; shares everything else. */
function rebuild(value: unknown, branches: readonly Branch[], found: Found): unknown {
  if (!isObject(value) || branches.length === 0) return value
  let copy = value
  for (const name of new Set(branches.map(({segment}) => segment.name))) {
    if (!Object.hasOwn(value, name)) continue
    const same = branches.filter(({segment}) => segment.name === name)
    copy = {...copy, [name]: rebuildMember(Reflect.get(value, name), same, found)}
  }
  return copy
}

/** Documents that are expanded together, so that each level of them is one batch of reads. */
const togetherAtFirst = 100
/** References that are loaded between two looks at the budget. */
const loadedAtOnce = 100

/** The resources of every reference at the branches, level by level. Throws Overdrawn. */
async function loadedFor(
  documents: readonly object[],
  {branches, levels, load}: {readonly branches: readonly Branch[]; readonly levels: number; readonly load: Load},
  budget: ExpandBudget,
): Promise<Loaded> {
  const loaded = new Map<string, object | undefined>()
  let bytes = 0
  for (let level = 0; level < levels; level += 1) {
    const wanted = new Map<string, Reference>()
    for (const document of documents) {
      collect(document, branches, loaded, wanted)
      await budget.pause()
    }
    if (!budget.hasRoom(bytes, loaded.size + wanted.size)) throw new Overdrawn()
    const references = [...wanted.values()]
    for (let at = 0; at < references.length; at += loadedAtOnce) {
      const answers = await load(references.slice(at, at + loadedAtOnce))
      for (const resource of answers.values()) bytes += budget.bytesOf(resource)
      if (!budget.hasRoom(bytes, 0)) throw new Overdrawn()
      for (const [key, resource] of answers) loaded.set(key, resource)
      await budget.pause()
    }
    for (const key of wanted.keys()) if (!loaded.has(key)) loaded.set(key, undefined)
  }
  return loaded
}

/**
 * Copies of the documents with `obj` beside the references at the paths, also through other references, as many as fit
 * into the budget: `isCut` if the next does not. Each level is loaded for many documents together. Paths that do not exist are ignored, and references
 * that `load` does not find stay as they are. Throws QueryError if already the first does not fit. Decision 17.
 */
export async function expandAll<D extends object>(
  documents: readonly D[],
  paths: readonly ExpandPath[],
  load: Load,
  budget: ExpandBudget,
): Promise<{readonly results: readonly D[]; readonly isCut: boolean}> {
  const branches = branchesOf(paths)
  // Each round expands one level, so that the longest path bounds the rounds.
  const levels = paths.reduce((longest, path) => Math.max(longest, path.length), 0)
  const results: D[] = []
  for (let together = togetherAtFirst; results.length < documents.length; ) {
    const batch = documents.slice(results.length, results.length + together)
    const loaded = await loadedFor(batch, {branches, levels, load}, budget).catch(unlessOverdrawn)
    if (!loaded && batch.length > 1) {
      together = Math.ceil(batch.length / 2)
      continue
    }
    for (const document of batch) {
      const expanded = loaded && grown(document, branches, loaded, budget)
      if (expanded) results.push(expanded)
      else if (results.length > 0) return {results, isCut: true}
      else throw new QueryError('expand', 'The document is too large with all that it expands: expand less')
      await budget.pause()
    }
  }
  return {results, isCut: false}
}

const unlessOverdrawn = (error: unknown): undefined => {
  if (!(error instanceof Overdrawn)) throw error
}

/** The expanded document, counted; undefined if it does not fit. */
function grown<D extends object>(
  document: D,
  branches: readonly Branch[],
  loaded: Loaded,
  budget: ExpandBudget,
): D | undefined {
  let [bytes, references] = [budget.bytesOf(document), 0]
  const found = (reference: Reference): object | undefined => {
    const resource = loaded.get(referenceKey(reference))
    if (resource === undefined) return undefined
    references += 1
    bytes += memberBytes + budget.bytesOf(resource)
    if (budget.hasRoom(bytes, references)) return resource
    throw new Overdrawn()
  }
  try {
    const expanded = rebuild(document, branches, found) as D
    return budget.fits(bytes, references) ? expanded : undefined
  } catch (error) {
    return unlessOverdrawn(error)
  }
}
