import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {searchIndexingOf} from '../../domain/project/project.js'
import {optional} from '../../domain/rules.js'
import {QueryError} from '../../query/query-error.js'
import type {Document} from '../../store/store.js'
import {limits} from '../../work/limits.js'
import {sliceMs, timeSlices} from '../../work/time-slices.js'
import {withCustomShapes} from '../documents/custom-shapes.js'
import {allWhere} from '../documents/walk.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {Sorting} from './members.js'
import {customerSearch} from './search.js'

/** Customer Search. Source: API › Customer Search. */

const shared = {
  path: '/{projectKey}/customers/search',
  area: 'Customer Search',
  permission: {kind: 'bearer', anyOf: ['view_customers']},
} as const

const Request = v.object({
  query: optional(v.looseObject({})),
  sort: optional(v.array(Sorting)),
  limit: optional(v.number()),
  offset: optional(v.number()),
})

const Reply = v.object({
  total: v.number(),
  limit: v.number(),
  offset: v.number(),
  results: v.array(v.object({id: v.string(), relevance: v.number()})),
})

/** Throws SearchNotReady while the project has its search switched off. */
function checkReady({project}: Context): void {
  if (searchIndexingOf(project).customers.status !== 'Activated') throw ApiError.of('SearchNotReady', {})
}

function within(name: 'limit' | 'offset', value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new QueryError(name, `The ${name} parameter must be in the range of [${least}..${most}]`)
}

async function groupKeysOf({runtime, project}: Context): Promise<ReadonlyMap<string, string>> {
  const groups = await allWhere<Document & {key?: string}>(runtime.state, project.key, 'customer-group')
  return new Map(groups.flatMap(({id, key}) => (key === undefined ? [] : [[id, key]])))
}

export const searchCustomers = operation({
  ...shared,
  id: 'searchCustomers',
  method: 'POST',
  summary: 'find customers by any part of what they are known by, the best match first',
  body: Request,
  reply: Reply,
  handle: async (context, {body}) => {
    checkReady(context)
    const {query, sort} = body
    if (sort && sort.length > limits.sortKeys)
      throw new QueryError('sort', `At most ${limits.sortKeys} fields are sorted by`)
    const limit = within('limit', body.limit ?? 20, 1, limits.searchPageSize)
    const offset = within('offset', body.offset ?? 0, 0, limits.searchOffset)
    const asked = JSON.stringify([query, sort])
    const namesKeys = asked.includes('customerGroup.key')
    const groupKeys = namesKeys ? await groupKeysOf(context) : new Map<string, string>()
    const yields = timeSlices(sliceMs)
    const {total, results} = await withCustomShapes(context, [asked], async (custom) => {
      const search = customerSearch({...defined({query, sort, custom}), limit, offset, groupKeys})
      await yields()
      return context.runtime.state.search(context.project.key, 'customer', {...search, caller: context.budget})
    })
    return {total, limit, offset, results}
  },
})

const customerSearchExists = operation({
  ...shared,
  id: 'customerSearchExists',
  method: 'HEAD',
  summary: 'tell whether customers can be searched',
  handle: async (context) => {
    checkReady(context)
  },
})

const getSearchIndexingStatus = operation({
  ...shared,
  id: 'getSearchIndexingStatus',
  method: 'GET',
  path: `${shared.path}/indexing-status`,
  summary: 'tell how far the index of Customer Search is',
  permission: {kind: 'bearer', anyOf: ['view_project_settings']},
  reply: v.object({
    status: v.picklist(['Scheduled', 'Indexing', 'Ready', 'Failed']),
    startedAt: v.exactOptional(v.string()),
    lastModifiedAt: v.exactOptional(v.string()),
  }),
  handle: async ({project}) => {
    const {status, lastModifiedAt = project.createdAt} = searchIndexingOf(project).customers
    if (status !== 'Activated') return {status: 'Scheduled' as const, lastModifiedAt}
    return {status: 'Ready' as const, startedAt: lastModifiedAt, lastModifiedAt}
  },
})

export const searchOperations = [searchCustomers, customerSearchExists, getSearchIndexingStatus]
