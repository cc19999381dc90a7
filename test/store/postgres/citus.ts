import {spawn} from 'node:child_process'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {type Engine, storeSchema} from '../../../src/store/postgres/schema/schema.js'
import type {Facets} from '../../../src/store/store.js'
import {patienceMs} from '../../patience.js'
import type {Cluster} from './cluster.js'
import {queried} from './queried.js'

/**
 * A cluster of Citus that somebody started: ports on this machine, the coordinator's first, which anybody may enter as
 * `postgres`. `npm run test:citus -- 15801,15802,15803` sets it, and how documents are spread over it.
 */
export const clusterPorts = (process.env['FRONTDESK_CITUS'] ?? '').split(',').filter(Boolean).map(Number)

export const isOnCitus = clusterPorts.length > 0

export const citusEngine: Engine = process.env['FRONTDESK_CITUS_BY'] === 'id' ? 'citus-by-id' : 'citus'

const at = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

/** Settings of a database: as the documentation says, and few parts of a table, of which each costs a statement. */
const settings = ["citus.propagate_set_commands = 'local'", 'citus.shard_count = 4']

/**
 * Databases on the cluster with the tables of its engine; a server adds the indexes of facets that `derived` lacks.
 * `through`: the ports by which the coordinator reaches nodes in place of theirs.
 */
export function citusCluster(
  derived: Facets = {},
  through: ReadonlyMap<number, number> = new Map(),
): Pick<Cluster, 'database' | 'stop'> {
  const made: string[] = []
  const [coordinator = 0, ...nodes] = clusterPorts
  return {
    async database(name) {
      const own = `t_${process.pid}_${name}_${made.length}`
      made.push(own)
      for (const port of clusterPorts) {
        await queried(at(port, 'postgres'), `CREATE DATABASE ${own}`)
        await queried(at(port, own), 'CREATE EXTENSION citus')
      }
      const url = at(coordinator, own)
      for (const setting of settings) await queried(url, `ALTER DATABASE ${own} SET ${setting}`)
      await queried(url, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`)
      for (const port of nodes) await queried(url, `SELECT citus_add_node('127.0.0.1', ${through.get(port) ?? port})`)
      for (const text of storeSchema(citusEngine, derived)) await queried(url, text)
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

/** A process of PostgreSQL on this machine that somebody started, by its port, as a test ends and starts it again. */
export class Node {
  readonly #url: string
  readonly #data: string
  readonly #program: string

  private constructor(url: string, data: string, program: string) {
    this.#url = url
    this.#data = data
    this.#program = program
  }

  static async at(port: number): Promise<Node> {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const [place] = await queried<{data: string; bin: string}>(
      url,
      `SELECT current_setting('data_directory') AS data, (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin`,
    )
    return new Node(url, place?.data ?? '', join(place?.bin ?? '', 'postgres'))
  }

  /** Kills it, and starts it again at once; resolves when it answers. */
  async restart(): Promise<void> {
    const [pid] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    const deadline = Date.now() + patienceMs
    let isOver = true
    for (;;) {
      // Its former processes may not all have ended yet, and then none may begin.
      if (isOver) {
        isOver = false
        const {uid, gid} = statSync(this.#data)
        const options = {uid, gid, cwd: this.#data, stdio: 'ignore', detached: true} as const
        const server = spawn(this.#program, ['-D', this.#data], options)
        server.unref()
        server.once('exit', () => {
          isOver = true
        })
      }
      try {
        await queried(this.#url, 'SELECT 1')
        return
      } catch (error) {
        if (Date.now() > deadline) throw error
      }
    }
  }
}
