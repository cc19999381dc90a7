import {type ChildProcess, spawn} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {processLimitMs} from '../patience.js'
import {giveCompiledCode, keepCompiledCode} from './compiled-code.js'

/** The built command in processes of its own. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = join(root, 'bin', 'run.js')

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Nothing of the developer's own configuration, and a home that is thrown away. */
export function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  const {PATH} = process.env
  return {
    PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    NODE_ENV: 'production',
  }
}

export interface Sandbox {
  readonly home: string
  readonly data: string
  frontdesk(words: readonly string[], options?: {input?: string; env?: NodeJS.ProcessEnv}): Promise<Finished>
  /** Starts a command that ends by itself or with a signal. */
  begin(words: readonly string[]): {child: ChildProcess; exited: Promise<Finished>}
  /** Starts a server and waits for its line. */
  serve(
    words?: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{child: ChildProcess; apiUrl: string; exited: Promise<Finished>}>
  remove(): void
}

export function openSandbox(): Sandbox {
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-e2e-'))
  const data = join(home, 'state')
  const cache = join(home, 'cache')
  giveCompiledCode(cache)
  const start = (words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
    spawn(process.execPath, [run, ...words], {cwd: home, env, timeout: processLimitMs, killSignal: 'SIGKILL'})
  const environment = {...cleanEnvironment(home), FRONTDESK_DATA_DIR: data}

  const finished = (child: ChildProcess): Promise<Finished> =>
    new Promise((resolve, reject) => {
      const parts = {stdout: '', stderr: ''}
      child.stdout?.on('data', (chunk: Buffer) => {
        parts.stdout += chunk.toString()
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        parts.stderr += chunk.toString()
      })
      child.once('error', reject)
      child.once('close', (code) => resolve({code, ...parts}))
    })

  return {
    home,
    data,
    frontdesk: (words, {input = '', env = {}} = {}) => {
      const child = start(words, {...environment, ...env})
      child.stdin?.end(input)
      return finished(child)
    },
    begin: (words) => {
      const child = start(words, environment)
      return {child, exited: finished(child)}
    },
    serve: async (words = [], env = {}) => {
      const serving = ['server', 'start', '--port', '0', '--data', data, '--json', ...words]
      const child = start(serving, {...environment, ...env})
      const exited = finished(child)
      const line = await new Promise<string>((resolve, reject) => {
        let text = ''
        child.stdout?.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          if (text.includes('\n')) resolve(text)
        })
        void exited.then(({stderr}) => reject(new Error(`the server ended: ${stderr}`)))
      })
      const {apiUrl} = JSON.parse(line) as {apiUrl: string}
      return {child, apiUrl, exited}
    },
    remove: () => {
      keepCompiledCode(cache)
      // A process that a test hung up may still leave.
      rmSync(home, {recursive: true, force: true, maxRetries: 20})
    },
  }
}
