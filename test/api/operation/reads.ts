import {atAnyVersion} from '../../../src/api/operation/facts.js'
import type {AnyOperation} from '../../../src/api/operation/operation.js'
import type {Requirement} from '../../../src/store/store.js'
import type {Desk} from '../harness.js'

/** What a request decides on and its commits neither expect nor require at the version that it read. */

type State = Desk['runtime']['state']
type Given = Parameters<State['commit']>[1][number]

const placeOf = (project: string, kind: string, id: string): string => `${project} ${kind} ${id}`
const kindOf = (place: string): string => place.split(' ')[1] ?? ''

/** Whether a commit excludes whoever requires what it writes, so that its look for what refers to that is complete. */
const excludes = (one: Given): boolean => 'remove' in one || 'exclusive' in one

/**
 * Observes what a handler reads and commits from now on; who is permitted is decided when a request comes. Ended, it tells
 * the kinds that were read outside of a look which nobody can interfere with, of documents and lists that no commit
 * covers; none where nothing was committed. `operation` is none for what is called without one.
 */
export function observed(state: State, operation: AnyOperation | undefined): () => readonly string[] {
  const {get, find, query, commit} = state
  const handle = operation?.handle
  let isHandling = operation === undefined
  if (operation && handle) {
    Object.assign(operation, {
      handle: (...given: Parameters<typeof handle>) => {
        isHandling = true
        return handle.apply(operation, given)
      },
    })
  }
  const read = new Set<string>()
  const covered = new Set<string>()
  let commits = 0
  let isGuarded = false
  const note = (project: string, kind: string, ids: readonly string[]): void => {
    if (isHandling && !isGuarded) for (const id of ids) read.add(placeOf(project, kind, id))
  }
  const cover = (project: string, given: readonly Given[]): void => {
    for (const one of given) {
      if ('require' in one) {
        const {kind, require: id, version, project: elsewhere = project}: Requirement = one
        if (version !== undefined || kind in atAnyVersion) covered.add(placeOf(elsewhere, kind, id))
      } else covered.add(placeOf(project, one.kind, 'remove' in one ? one.remove : one.doc.id))
    }
  }
  Object.assign(state, {
    get: async (...given: Parameters<State['get']>) => {
      note(given[0], given[1], [given[2]])
      return get.apply(state, given)
    },
    find: async (...given: Parameters<State['find']>) => {
      const found = await find.apply(state, given)
      note(given[0], given[1], [found?.id ?? given[2]])
      return found
    },
    query: async (...given: Parameters<State['query']>) => {
      const found = await query.apply(state, given)
      // Beside what it has, a list says what there is not.
      note(given[0], given[1], ['*', ...found.results.map(({id}) => id)])
      return found
    },
    commit: async (...[project, given, complete]: Parameters<State['commit']>) => {
      commits += 1
      cover(project, given)
      const looking =
        complete &&
        (async () => {
          isGuarded = given.some(excludes)
          const more = await complete().finally(() => {
            isGuarded = false
          })
          cover(project, more)
          return more
        })
      return commit.call(state, project, given, looking)
    },
  })
  return () => {
    Object.assign(state, {get, find, query, commit})
    if (operation) Object.assign(operation, {handle})
    if (commits === 0) return []
    return [...new Set([...read].filter((place) => !covered.has(place)).map(kindOf))].toSorted()
  }
}
