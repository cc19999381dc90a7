import {type Engine, storeSchema} from '../../../src/store/postgres/schema/engines.js'
import type {Facets} from '../../../src/store/store.js'
import {facets} from '../contract.js'
import {type Cluster, queried, startCluster} from './cluster.js'

/**
 * A cluster of Citus that somebody started: ports on this machine, the coordinator's first, which anybody may enter as
 * `postgres`. `npm run test:citus -- 15801,15802,15803` sets it.
 */
export const clusterPorts = (process.env['FRONTDESK_CITUS'] ?? '').split(',').filter(Boolean).map(Number)

export const isOnCitus = clusterPorts.length > 0

/** The engines that are tested: those of one PostgreSQL, or those of a cluster that was named. */
export const testedEngines: readonly Engine[] = isOnCitus ? ['citus', 'citus-by-id'] : ['postgres', 'partitioned']

const at = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

/** Databases with the tables of an engine. `through`: the ports by which the coordinator reaches nodes in place of theirs. */
export async function engineCluster(
  engine: Engine,
  through: ReadonlyMap<number, number> = new Map(),
  derived: Facets = facets,
): Promise<Pick<Cluster, 'database' | 'stop'> | undefined> {
  if (!isOnCitus) {
    const cluster = await startCluster()
    if (!cluster || engine === 'postgres') return cluster
    const database = async (name: string): Promise<string> => {
      const url = await cluster.database(name)
      await queried(url, storeSchema(engine, derived).join(';\n'))
      return url
    }
    return {database, stop: () => cluster.stop()}
  }
  const made: string[] = []
  const [coordinator = 0, ...nodes] = clusterPorts
  return {
    async database(name) {
      const own = `t_${process.pid}_${name}_${engine.replaceAll('-', '_')}`
      made.push(own)
      for (const port of clusterPorts) {
        await queried(at(port, 'postgres'), `CREATE DATABASE ${own}`)
        await queried(at(port, own), 'CREATE EXTENSION citus')
      }
      const url = at(coordinator, own)
      await queried(at(coordinator, 'postgres'), `ALTER DATABASE ${own} SET citus.propagate_set_commands = 'local'`)
      await queried(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`)
      for (const port of nodes) await queried(url, `SELECT citus_add_node('127.0.0.1', ${through.get(port) ?? port})`)
      for (const text of storeSchema(engine, derived)) await queried(url, text)
      return url
    },
    async stop() {
      for (const own of made)
        for (const port of clusterPorts) await queried(at(port, 'postgres'), `DROP DATABASE ${own} WITH (FORCE)`)
    },
  }
}

/** The port of the last node. */
export const lastNode = (): number => clusterPorts.at(-1) ?? 0
