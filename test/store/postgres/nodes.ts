import {spawn} from 'node:child_process'
import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {patienceMs} from '../../patience.js'
import {queried} from './cluster.js'

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
