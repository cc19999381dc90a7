import {runningServer, serverDetails} from '../server/access.js'

/** How often the running local server met each deprecated thing since its start, by the ids of the catalogue. */
export async function seenUses(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const {deprecatedUses} = await serverDetails(dataDir, await runningServer(dataDir))
  return new Map(Object.entries(deprecatedUses))
}
