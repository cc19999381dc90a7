import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'
import {customerExists} from '../customers/calls.js'
import {nobodyHas} from '../customers/candidates.js'
import {type Paged, pageOf} from '../input/query-options.js'
import {parseRef} from '../input/refs.js'
import type {ResolvedTarget} from '../target/target.js'
import {messagePage} from './query.js'
import {type SelectFlags, selection} from './select.js'

/**
 * One page of messages, the newest first. Throws not found if it is empty since nobody has the id that was given: an
 * empty list would say that nothing happened.
 */
export async function selectedMessages(client: Client, flags: SelectFlags, resolved: ResolvedTarget): Promise<Paged> {
  const page = await asked(client, flags, resolved, true)
  const {resource, type, where, offset} = flags
  if (resource === undefined || page.count > 0 || type !== undefined || where !== undefined || offset) return page
  const ref = parseRef(resource)
  if (ref.by === 'id' && !(await customerExists(client, ref))) throw nobodyHas(ref)
  return page
}

async function asked(client: Client, flags: SelectFlags, resolved: ResolvedTarget, tokens: boolean): Promise<Paged> {
  const query = {...pageOf(flags), ...(await selection(client, flags, resolved, {tokens}))}
  try {
    return await messagePage(client, {sort: ['createdAt desc'], ...query})
  } catch (error) {
    // Other servers may not let one ask for the customer of a token.
    const isOther = tokens && flags.resource !== undefined && resolved.target.kind === 'remote'
    if (isOther && error instanceof ApiError && error.statusCode === 400) return asked(client, flags, resolved, false)
    throw error
  }
}
