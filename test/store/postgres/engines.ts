import {type Engine, storeSchema} from '../../../src/store/postgres/schema/schema.js'
import {facets} from '../contract.js'
import {citusCluster, citusEngine, isOnCitus} from './citus.js'
import {type Cluster, queried, startCluster} from './cluster.js'

/** The engines that are tested: those of one PostgreSQL, or that of a cluster that was named. */
export const testedEngines: readonly Engine[] = isOnCitus ? [citusEngine] : ['postgres', 'partitioned']

/** Databases with the tables of an engine. */
export async function engineCluster(engine: Engine): Promise<Pick<Cluster, 'database' | 'stop'> | undefined> {
  if (isOnCitus) return citusCluster(facets)
  const cluster = await startCluster()
  if (!cluster || engine === 'postgres') return cluster
  const database = async (name: string): Promise<string> => {
    const url = await cluster.database(name)
    await queried(url, storeSchema(engine, facets).join(';\n'))
    return url
  }
  return {database, stop: () => cluster.stop()}
}
