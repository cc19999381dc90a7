import type {Client} from '../../client/client.js'
import {placeOf} from '../../client/place.js'
import {emailsIn, emailsInImages, type PersonNames} from '../../transfer/jobs/traces.js'
import {allRelated} from '../customers/related.js'
import type {Run} from '../run/run.js'
import {jobsFolder} from '../target/settings.js'

/**
 * Persons by the emails that they had before, as messages and before-images tell: rows of jobs may name them by one. To be
 * read before an erasure, which takes both away.
 */
export async function formerNames(run: Run, client: Client, ids: readonly string[]): Promise<PersonNames[]> {
  const found = await emailsInImages({dir: jobsFolder(run.folders), place: placeOf(run.resolved.target)}, new Set(ids))
  for (const id of ids) {
    const messages = await allRelated(client, 'messages', {where: 'resource(id = :id)', 'var.id': id})
    if (typeof messages !== 'string') found.push(...messages.flatMap(emailsIn).map((email) => ({id, email})))
  }
  return found
}
