import {limits} from '../limits.js'
import type {ExpandPath, ExpandSegment} from './expand-path.js'
import {isObject} from './path-reader.js'
import {QueryError} from './query-error.js'

export {type ExpandPath, parseExpand} from './expand-path.js'

export interface Reference {
  readonly typeId: string
  readonly id: string
}

/** Loads the resources of references in one batch, by `referenceKey`. Missing ones stay unexpanded. */
export type Load = (references: readonly Reference[]) => Promise<ReadonlyMap<string, object>>

/** The key of a reference in the result of a Load. */
export const referenceKey = ({typeId, id}: Reference): string => `${typeId}/${id}`

/** Key references have no id and are never expanded. */
function isReference(value: unknown): value is Reference & object {
  if (!isObject(value) || !Object.hasOwn(value, 'typeId') || !Object.hasOwn(value, 'id')) return false
  const {typeId, id} = value as Partial<Reference>
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

/** The references at the end of one path inside one document, not through expanded ones. */
export function referencesAt(document: object, path: ExpandPath): Reference[] {
  let values: unknown[] = [document]
  for (const segment of path) values = values.flatMap((value) => reached(value, segment))
  return values.filter(isReference)
}

/** Yields to the event loop between two documents; awaited if it returns a promise. */
export type Pause = () => Promise<void> | undefined

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

/** The loaded resources, and how many a reply shows already. */
class Found {
  readonly #loaded: Loaded
  readonly #most: number
  #shown = 0

  constructor(loaded: Loaded, most: number) {
    this.#loaded = loaded
    this.#most = most
  }

  /** The resource of a reference. Throws QueryError beyond the limit of expanded references in a reply. */
  of(reference: Reference): object | undefined {
    const resource = this.#loaded.get(referenceKey(reference))
    if (resource !== undefined) this.#shown += 1
    if (this.#shown <= this.#most) return resource
    throw new QueryError('expand', `A page expands at most ${this.#most} references: ask for fewer by limit`)
  }
}

function grow(target: unknown, below: readonly Branch[], found: Found): unknown {
  if (!isReference(target)) return rebuild(target, below, found)
  const resource = found.of(target)
  return resource === undefined ? target : {...target, obj: rebuild(resource, below, found)}
}

/** The branches that apply to element `n` of an array. */
const belowElement = (branches: readonly Branch[], n: number): Branch[] | undefined => {
  const here = branches.filter(({segment: {at}}) => at === '*' || at === n)
  return here.length > 0 ? here.flatMap(({below}) => below) : undefined
}

function rebuildMember(member: unknown, branches: readonly Branch[], found: Found): unknown {
  if (!Array.isArray(member)) {
    const whole = branches.filter(({segment: {at}}) => at === undefined)
    return whole.length > 0
      ? grow(
          member,
          whole.flatMap(({below}) => below),
          found,
        )
      : member
  }
  return member.map((element: unknown, n) => {
    const below = belowElement(branches, n)
    return below === undefined ? element : grow(element, below, found)
  })
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

/**
 * Copies of the documents with `obj` beside the references at the paths, also through other references. Each level is
 * one call of `load` for all documents together. Paths that do not exist are ignored, and references that `load` does
 * not find stay as they are. Throws QueryError for a page with too many. Decision 17.
 */
export async function expandAll<D extends object>(
  documents: readonly D[],
  paths: readonly ExpandPath[],
  load: Load,
  {pause = () => undefined, most = limits.expandedReferences}: {readonly pause?: Pause; readonly most?: number} = {},
): Promise<D[]> {
  const branches = branchesOf(paths)
  const loaded = new Map<string, object | undefined>()
  // Each round expands one level, so that the longest path bounds the rounds.
  for (let round = paths.reduce((longest, path) => Math.max(longest, path.length), 0); round > 0; round -= 1) {
    const wanted = new Map<string, Reference>()
    for (const document of documents) {
      collect(document, branches, loaded, wanted)
      await pause()
    }
    if (wanted.size === 0) break
    const answers = await load([...wanted.values()])
    for (const key of wanted.keys()) loaded.set(key, answers.get(key))
  }
  const found = new Found(loaded, most)
  const expanded: D[] = []
  for (const document of documents) {
    expanded.push(rebuild(document, branches, found) as D)
    await pause()
  }
  return expanded
}

/** `expandAll` for one document: without the limit of a page, since it is often committed already. */
export async function expand<D extends object>(document: D, paths: readonly ExpandPath[], load: Load): Promise<D> {
  const [expanded = document] = await expandAll([document], paths, load, {most: Number.POSITIVE_INFINITY})
  return expanded
}
