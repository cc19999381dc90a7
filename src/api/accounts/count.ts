import {ApiError} from '../../domain/errors.js'
import type {Context, Platform} from '../operation/context.js'

/**
 * The limit of customers in a project. Counting is expensive, so a count is cached, incremented by each creation, and
 * repeated only when it is old or the limit is near.
 */

interface Count {
  counted: number
  createdSince: number
  at: number
}

const counts = new WeakMap<Platform, Map<string, Count>>()
const maxAgeMs = 10 * 60_000
/** From this fraction of the limit on, every creation counts anew. */
const nearly = 0.99

/** Throws MaxResourceLimitExceeded if the project is full; otherwise adds one to the cached count. */
export async function checkCustomerCount({platform, project, now}: Context): Promise<void> {
  const limit = platform.settings.maxCustomers
  const known = counts.get(platform) ?? new Map<string, Count>()
  counts.set(platform, known)
  let count = known.get(project.key)
  const isUsable = count && now - count.at < maxAgeMs && count.counted + count.createdSince < limit * nearly
  if (!count || !isUsable) {
    const page = {limit: 0, offset: 0, count: {cap: limit}}
    const {total = 0} = await platform.state.query(project.key, 'customer', page)
    count = {counted: total, createdSince: 0, at: now}
    known.set(project.key, count)
  }
  if (count.counted + count.createdSince >= limit) {
    throw ApiError.of('MaxResourceLimitExceeded', {limit, exceededResource: 'customer'})
  }
  count.createdSince += 1
}
