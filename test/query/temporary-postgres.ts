import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {chownSync, existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import pg from 'pg'
import {patienceMs} from '../patience.js'

const binaries = '/usr/lib/postgresql/15/bin'

export interface TemporaryPostgres {
  readonly client: pg.Client
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root; then it runs as the user that the package made. */
function serverUser(): {uid?: number; gid?: number} {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], {encoding: 'utf8'}))
  return {uid: idOf('-u'), gid: idOf('-g')}
}

async function connect(directory: string, server: ChildProcess): Promise<pg.Client> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const client = new pg.Client({host: directory, user: 'frontdesk', database: 'postgres'})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > deadline || server.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/**
 * A cluster of its own in a temporary directory, reached through a socket there. Its collation is English on purpose:
 * SQL that relies on the database's order of texts shows. Undefined where PostgreSQL is not installed.
 */
export async function startPostgres(): Promise<TemporaryPostgres | undefined> {
  if (!existsSync(join(binaries, 'initdb'))) return undefined
  const user = serverUser()
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-query-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const options = ['-D', data, '-U', 'frontdesk', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']
  const remove = () => rmSync(directory, {recursive: true, force: true})
  try {
    const english = ['--locale-provider=icu', '--icu-locale=en']
    execFileSync(join(binaries, 'initdb'), [...options, ...english], {...user, stdio: 'pipe', cwd: directory})
    const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off', 'timezone=Asia/Tokyo']
    const flags = settings.flatMap((setting) => ['-c', setting])
    const server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {...user, stdio: 'ignore', cwd: directory})
    const kill = () => server.kill('SIGQUIT')
    process.once('exit', kill)
    const ended = new Promise((resolve) => server.once('exit', resolve))
    const stop = async () => {
      kill()
      await ended
      process.off('exit', kill)
      remove()
    }
    try {
      const client = await connect(directory, server)
      return {
        client,
        stop: async () => {
          await client.end()
          await stop()
        },
      }
    } catch (error) {
      await stop()
      throw error
    }
  } catch (error) {
    remove()
    throw error
  }
}
