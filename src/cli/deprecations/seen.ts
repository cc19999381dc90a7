import {runningServer, serverDetails} from '../server/access.js'

/** The local server's words for what it met, and the catalogue's ids. */
const ids = new Map([
  ['anonymousCartId', 'customers-anonymous-cart-id'],
  ['typeId and typeKey of custom fields', 'custom-fields-type-id'],
  ['update action changeName', 'customers-change-name'],
])

/** How often the running local server met each deprecated thing since its start, by id. */
export async function seenUses(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const {deprecatedUses} = await serverDetails(dataDir, await runningServer(dataDir))
  const counts = new Map<string, number>()
  for (const [feature, count] of Object.entries((deprecatedUses ?? {}) as Record<string, number>)) {
    const id = ids.get(feature) ?? feature
    counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}
