import {queryMessages} from '../../api/project/messages.js'
import type {Client} from '../../client/client.js'
import {ApiError} from '../../domain/errors.js'

const maxMessages = 20

/** Ids of customers who had this email before, as messages tell; none where they may not be read. */
export async function formerlyOf(client: Client, email: string): Promise<readonly string[]> {
  const where = ['type = "CustomerEmailChanged"', 'oldEmail in :emails']
  const forms = [...new Set([email, email.toLowerCase()])]
  const query = {where, 'var.emails': forms, sort: ['createdAt desc'], limit: maxMessages, withTotal: false}
  try {
    const {results} = await client.call(queryMessages, {}, {query})
    return [...new Set(results.flatMap(({resource}) => (resource.typeId === 'customer' ? [resource.id] : [])))]
  } catch (error) {
    if (error instanceof ApiError && [400, 403, 404].includes(error.statusCode)) return []
    throw error
  }
}
