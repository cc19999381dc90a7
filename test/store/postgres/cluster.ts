import {type ChildProcess, execFile, execFileSync, spawn} from 'node:child_process'
import {chownSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import pg from 'pg'
import {tables} from '../../../src/store/postgres/schema/schema.js'
import {patienceMs} from '../../patience.js'
import {citusCluster, isOnCitus} from './citus.js'
import {queried} from './queried.js'

export {queried} from './queried.js'

const packages = '/usr/lib/postgresql'

export interface Cluster {
  /** Folder of the socket. */
  readonly directory: string
  readonly client: pg.Client
  /** Makes an empty database and returns its URL. */
  database(name: string): Promise<string>
  /** Stops the server without ado, as kill -9 does if told, and starts it again; `meanwhile` there is none. */
  restart(meanwhile?: () => Promise<void>, how?: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Ends the server for good, without a chance to say goodbye. */
  kill(): Promise<void>
  /** A server of its own that follows this one, and holds every commit before it is answered. */
  standby(): Promise<Standby>
  stop(): Promise<void>
}

export interface Standby {
  readonly directory: string
  readonly client: pg.Client
  /** Makes it the one that takes writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Programs of the newest PostgreSQL that is installed. */
function binaries(): string | undefined {
  if (!existsSync(packages)) return undefined
  const folders = readdirSync(packages).sort((a, b) => Number(b) - Number(a))
  return folders.map((version) => join(packages, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')))
}

/** PostgreSQL refuses to run as root; then it runs as the user that the package made. */
function serverUser(): {uid?: number; gid?: number} {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], {encoding: 'utf8'}))
  return {uid: idOf('-u'), gid: idOf('-g')}
}

async function connected(directory: string, server: ChildProcess): Promise<pg.Client> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const client = new pg.Client({host: directory, user: 'frontdesk', database: 'postgres'})
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > deadline || server.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

export interface ClusterOptions {
  /** Further settings of the server, as `name=value`. */
  readonly settings?: readonly string[]
}

/** One server process over the data of a cluster. */
async function served(folder: string, directory: string, user: object, more: readonly string[]) {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${directory}`,
    'fsync=off',
    'timezone=Asia/Tokyo',
    'max_connections=200',
    // Its own segments stay behind when the server is killed.
    'dynamic_shared_memory_type=mmap',
    ...more,
  ]
  const flags = settings.flatMap((setting) => ['-c', setting])
  const data = join(directory, 'data')
  const server = spawn(join(folder, 'postgres'), ['-D', data, ...flags], {...user, stdio: 'ignore', cwd: directory})
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  const stop = async (how: NodeJS.Signals = 'SIGQUIT') => {
    server.kill(how)
    await ended
    process.off('exit', kill)
  }
  try {
    const client = await connected(directory, server)
    return {client, stop}
  } catch (error) {
    await stop()
    throw error
  }
}

/** As `served`, for a server that was killed: its processes may not all have ended yet, and then none may begin. */
async function servedAgain(...args: Parameters<typeof served>): ReturnType<typeof served> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      return await served(...args)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** Resolves when commits wait for the standby. */
async function followed(client: pg.Client): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const {rows} = await client.query<{state: string}>('SELECT sync_state AS state FROM pg_stat_replication')
    if (rows.some(({state}) => state === 'sync')) return
    if (Date.now() > deadline) throw new Error('the standby does not follow')
  }
}

/** A synchronous standby of the server in `primary`, in a directory of its own. */
async function following(folder: string, primary: string, user: {uid?: number; gid?: number}, client: pg.Client) {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-standby-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const remove = () => rmSync(directory, {recursive: true, force: true})
  try {
    const place = ['-h', primary, '-U', 'frontdesk', '-D', join(directory, 'data')]
    const flags = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
    await promisify(execFile)(join(folder, 'pg_basebackup'), [...place, ...flags], {...user, cwd: directory})
    const standby = await served(folder, directory, user, ['wal_retrieve_retry_interval=50ms'])
    // After the copy was made, so that the standby itself will wait for nobody.
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await client.query('SELECT pg_reload_conf()')
    await followed(client)
    return {
      directory,
      client: standby.client,
      async promote() {
        await standby.client.query('SELECT pg_promote(true, 20)')
      },
      async stop() {
        await standby.client.end()
        await standby.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

let made: string | undefined

/** The files of a cluster that nobody has used, made once in each process and copied for each test: a twentieth of the work. */
function newCluster(folder: string, user: {uid?: number; gid?: number}): string {
  if (made !== undefined) return made
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
  process.once('exit', () => rmSync(directory, {recursive: true, force: true}))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const place = ['-D', data, '-U', 'frontdesk', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  const english = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en']
  execFileSync(join(folder, 'initdb'), [...place, ...english], {...user, stdio: 'pipe', cwd: directory})
  made = data
  return made
}

/**
 * A cluster of its own in a temporary directory, reached through a socket there. Its collation is English on purpose:
 * SQL that relies on the database's order of texts shows. Undefined, after saying so, where PostgreSQL is missing.
 */
export async function startPostgres({settings = []}: ClusterOptions = {}): Promise<Cluster | undefined> {
  const folder = binaries()
  if (folder === undefined) {
    console.warn(`SKIPPED: no PostgreSQL in ${packages}, so what needs one was not tested.`)
    return undefined
  }
  const user = serverUser()
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const remove = () => rmSync(directory, {recursive: true, force: true})
  try {
    execFileSync('cp', ['-a', newCluster(folder, user), join(directory, 'data')])
    let server = await served(folder, directory, user, settings)
    return {
      directory,
      get client() {
        return server.client
      },
      async database(name) {
        await server.client.query(`CREATE DATABASE ${name}`)
        return `postgres://frontdesk@localhost/${name}?host=${encodeURIComponent(directory)}`
      },
      async restart(meanwhile, how) {
        await server.stop(how)
        await meanwhile?.()
        server = await servedAgain(folder, directory, user, settings)
      },
      kill: () => server.stop('SIGKILL'),
      standby: () => following(folder, directory, user, server.client),
      async stop() {
        await server.client.end()
        await server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** As `startPostgres`; where a cluster of Citus was named that one, which has databases and nothing else. */
export const startCluster = async (options: ClusterOptions = {}): Promise<Cluster | undefined> =>
  isOnCitus ? (citusCluster() as Cluster) : startPostgres(options)

/** Removes all documents, faster than a new database would be made. */
export async function emptied(url: string): Promise<void> {
  await queried(url, `TRUNCATE ${tables.map(({name}) => `frontdesk.${name}`).join(', ')}`)
}
