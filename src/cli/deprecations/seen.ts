import {runningServer, serverDetails} from '../server/access.js'

/** How often the running local server saw each deprecated feature since its start, by id of the catalogue. */
export async function seenUses(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const {deprecatedUses} = await serverDetails(dataDir, await runningServer(dataDir))
  return new Map(Object.entries(deprecatedUses))
}
