import type {ChildProcess, StdioOptions} from 'node:child_process'
import {constants} from 'node:os'
import {resolve} from 'node:path'
import {requiredArgs, textFlag} from '../../src/cli/input/flags.js'
import {usage} from '../../src/cli/process/failure.js'
import {hearsTerminal, interrupted, interruption, signalsGoTo} from '../../src/cli/process/interruption.js'
import {type Environment, type Io, processIo} from '../../src/cli/process/io.js'
import {oneLine} from '../../src/cli/process/sanitize.js'
import {whyNot} from '../../src/cli/process/system-errors.js'
import {unguarded} from '../../src/cli/process/terminal.js'
import {fallbackFlags, fallbackOption} from '../../src/cli/server/flags.js'
import {ServerCommand} from '../../src/cli/server/server-command.js'
import {defined} from '../../src/domain/equal.js'
import {quoted} from '../../src/files/file-errors.js'
import {removeScratch, scratchFolder} from '../../src/files/scratch.js'

/** Our variables that the program keeps: how commands behave. Others name another target, or are secrets of a server. */
const kept =
  /^FRONTDESK_((CACHE|CONFIG)_DIR|CORRELATION_ID|DEBUG|KEEP_DAYS|NO_INPUT|OUTPUT|PLAIN_START|REASON|REDACT|RETRIES|TICKET|TIMEOUT|VERBOSE)$/

/** The environment of the program: this one, with the server as the target, which no proxy stands in front of. */
function environmentFor(server: Readonly<Record<`FRONTDESK_${string}`, string>>, env: Environment): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('FRONTDESK_') || kept.test(name))
  const [upper, lower] = [env['NO_PROXY'] || env['no_proxy'], env['no_proxy'] || env['NO_PROXY']].map((hosts) =>
    hosts?.trim() === '*' ? '*' : [...(hosts ? [hosts] : []), '127.0.0.1', 'localhost', '::1'].join(','),
  )
  return {...Object.fromEntries(own), ...server, NO_PROXY: upper, no_proxy: lower}
}

/**
 * Hands signals on to a program, SIGKILL for the third. Ctrl-C at a terminal, which the program gets anyway, is left to it,
 * and the third SIGHUP of a terminal that goes away means no more than the first.
 */
function handingOn(child: ChildProcess): () => void {
  let requests = 0
  let isFirst = true
  return signalsGoTo((signal) => {
    if (signal === 'SIGINT' && hearsTerminal(child.pid)) return true
    if (signal !== 'SIGHUP') requests += 1
    child.kill(requests > 2 ? 'SIGKILL' : signal)
    const known = !isFirst
    isFirst = false
    return known
  })
}

/** Runs a program without a shell and returns its exit code. It inherits the streams of this process. */
async function runProgram(
  [file = '', ...argv]: readonly string[],
  env: NodeJS.ProcessEnv,
  {stdout, stderr}: Pick<Io, 'stdout' | 'stderr'>,
): Promise<number> {
  const {spawn} = await import('node:child_process')
  const outward = (own: boolean): 'inherit' | 'pipe' => (own ? 'inherit' : 'pipe')
  const stdio: StdioOptions = [
    'inherit',
    outward(stdout === processIo.stdout || unguarded(stdout) === process.stdout),
    outward(unguarded(stderr) === process.stderr),
  ]
  const child = spawn(file, argv, {env, stdio})
  child.stdout?.pipe(stdout, {end: false})
  child.stderr?.pipe(stderr, {end: false})
  const release = handingOn(child)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const why = `${oneLine(file)} cannot be run: ${whyNot(error)}.`
        reject(usage(why, 'Give a program and its arguments after --; a shell is not involved.'))
      })
      // 128 and more: the exit code that a shell gives to a program that was ended by a signal.
      child.once('close', (code, ended) => resolve(code ?? 128 + constants.signals[ended ?? 'SIGKILL']))
    })
  } finally {
    release()
  }
}

export default class ServerExec extends ServerCommand<typeof ServerExec> {
  static override summary = 'Run a program with a local server started for it'
  static override description =
    `Starts a server on a free port with a new state, runs the program with the environment variables that name the server
(FRONTDESK_API_URL, _AUTH_URL, _PROJECT_KEY, _CLIENT_ID, _CLIENT_SECRET, _DATA_DIR), stops the server, and ends with the
exit code of the program. The state is deleted afterwards unless --data names a folder. Ctrl-C is the program's: the server
lives until it has ended. SIGTERM and SIGHUP are handed on; the third SIGTERM kills the program.`
  static override examples = [
    '<%= config.bin %> server exec --seed demo -- printenv FRONTDESK_API_URL',
    '<%= config.bin %> server exec --data ./state -- npm test',
  ]
  static override args = {command: requiredArgs('a program and its arguments, after --')}
  static override flags = {
    seed: textFlag('demo|DIR', 'Seed pack for the project, if it does not exist yet; demo is built in.'),
    ...fallbackFlags,
  }

  async run(): Promise<void> {
    const {projectKey} = this.local
    await this.effect({
      at: 'machine',
      plan: () => [{projectKey, command: this.args.command}, `would run ${this.args.command.map(quoted).join(' ')}`],
      act: () => this.#ran(projectKey),
    })
  }

  async #ran(projectKey: string): Promise<void> {
    const {seed, data} = this.flags
    const dataDir = data === undefined ? scratchFolder('exec') : resolve(data)
    const stop = interruption()
    try {
      const {startServer} = await import('../../src/index.js')
      const fallback = fallbackOption(this.flags, this.io.env)
      const server = await startServer({dataDir, projectKey, ...fallback, ...defined({seedDir: seed})})
      try {
        if (stop.aborted) throw interrupted('The program was not started.')
        const named = {
          FRONTDESK_API_URL: server.apiUrl,
          FRONTDESK_AUTH_URL: server.authUrl,
          FRONTDESK_PROJECT_KEY: projectKey,
          FRONTDESK_CLIENT_ID: server.client.clientId,
          FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
          FRONTDESK_DATA_DIR: dataDir,
        }
        const env = environmentFor(named, this.io.env)
        this.endAs(await runProgram(this.args.command, env, this.io))
      } finally {
        await server.stop()
      }
    } finally {
      if (data === undefined) removeScratch(dataDir)
    }
  }
}
