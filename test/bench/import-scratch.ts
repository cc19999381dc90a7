import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createWriteStream, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {RunningServer} from '../../src/index.js'
import {benchDraft} from './seeding.js'

const script = fileURLToPath(new URL('./import-server.mjs', import.meta.url))

/** The folder and the processes of one run of the benchmark; all of it goes when the run ends, however it does. */
export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  readonly #children = new Set<ChildProcess>()

  constructor() {
    process.once('exit', () => this.clear())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** A child that does not outlive the run. */
  child(words: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
    const child = spawn(process.execPath, words, {env, stdio: ['ignore', 'pipe', 'inherit']})
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }

  /** A server in a process of its own, as a user's would be: `nothing`, or a state's folder and perhaps a database. */
  async server(
    ...words: readonly string[]
  ): Promise<{server: RunningServer; pid: number | undefined; stop(): Promise<void>}> {
    const child = this.child([script, ...words])
    const gone = once(child, 'exit').then(() => {
      throw new Error(`the server of ${words[0]} ended before it listened`)
    })
    const [line] = (await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), gone])) as [Buffer]
    gone.catch(() => undefined)
    const started = JSON.parse(line.toString()) as RunningServer
    return {
      pid: child.pid,
      server: {...started, authUrl: started.apiUrl, projectKey: 'bench'},
      stop: async () => {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      },
    }
  }

  /** A file of so many rows. */
  async rows(count: number): Promise<string> {
    const path = this.path(`${count}.jsonl`)
    const file = createWriteStream(path)
    for (let at = 0; at < count; at += 1) {
      if (!file.write(`${JSON.stringify(benchDraft(at))}\n`)) await once(file, 'drain')
    }
    file.end()
    await once(file, 'close')
    return path
  }

  remove(name: string): void {
    rmSync(this.path(name), {recursive: true, force: true})
  }

  clear(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.folder, {recursive: true, force: true})
  }
}
