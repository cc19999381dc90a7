import {isoTimeOf} from '../../../src/domain/iso-time.js'
import type {Predicate} from '../../../src/query/ast.js'
import {instantOf} from '../../../src/query/instant.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import type {SearchTexts} from '../../../src/store/searchable.js'
import {
  type Change,
  type Document,
  type Facets,
  type Page,
  UniqueConflict,
  VersionConflict,
} from '../../../src/store/store.js'

export interface Person extends Document {
  readonly name?: string
  readonly email?: string
  readonly age?: number
  readonly bornAt?: string
}

export const facets: Facets = {
  people: {
    lowercaseName: (document) => (document as Person).name?.toLowerCase(),
    born: Object.assign((document: object) => isoTimeOf(instantOf((document as Person).bornAt ?? '')), {
      orders: 'bornAt',
    }),
  },
}

/** People are searched by their names. */
export const searchTexts: SearchTexts = {
  people: {version: 1, textOf: (document) => (document as Person).name ?? ''},
}

export const put = (id: string, version: number, members: object = {}, uniqueKeys: readonly string[] = []): Change => ({
  kind: 'people',
  expect: version - 1,
  doc: {id, version, ...members},
  uniqueKeys: uniqueKeys.map((key) => ({key})),
})

export const shared = (id: string, key: string): Change => ({
  kind: 'people',
  expect: 0,
  doc: {id, version: 1},
  uniqueKeys: [{key, shared: true}],
})

export const equals = (name: string, value: string | number, facet?: string): Predicate => ({
  op: 'compare',
  comparison: '=',
  value,
  field: {path: [name], type: typeof value === 'number' ? 'number' : 'string', ...(facet ? {facet} : {})},
})

export const everything: Page = {limit: 500, offset: 0}

/** How each promise ended: the names of the errors, `done` for success. */
export async function ends(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(promises)
  return results.map((result) => {
    if (result.status === 'fulfilled') return 'done'
    if (result.reason instanceof UniqueConflict) return `unique key ${result.reason.state}`
    if (result.reason instanceof VersionConflict) return 'version'
    return String(result.reason)
  })
}

export const counted = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].map((word) => [word, words.filter((other) => other === word).length]))

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({length: count}, (_, index) => make(index))

/** A promise and its levers. */
export function latch<T>(): {promise: Promise<T>; open: (value: T) => void; fail: (error: Error) => void} {
  let open = (_: T): void => {}
  let fail = (_: Error): void => {}
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  // It may fail before anybody waits for it.
  promise.catch(() => {})
  return {promise, open, fail}
}

/** The store under test, which a test may close and open again, with short words for its first project. */
export class Subject {
  store!: OpenedStore

  commit(...changes: readonly Change[]): Promise<void> {
    return this.store.commit('shop', changes)
  }

  async ids(page: Page): Promise<string[]> {
    return (await this.store.query('shop', 'people', page)).results.map(({id}) => id)
  }
}
