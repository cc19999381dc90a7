import type {StdioOptions} from 'node:child_process'
import {constants} from 'node:os'
import {removeScratch, scratchFolder} from '../../files/scratch.js'
import {usage} from '../process/failure.js'
import {interruption, receivedSignal} from '../process/interruption.js'
import {type Environment, type Io, processIo} from '../process/io.js'
import {oneLine} from '../process/sanitize.js'
import {whyNot} from '../process/system-errors.js'
import {unguarded} from '../process/terminal.js'

/** Runs a program for `server exec`. */

/** A temporary folder for a state that is deleted at the end of the command. */
export function temporaryFolder(): {readonly path: string; remove(): void} {
  const path = scratchFolder('exec')
  return {path, remove: () => removeScratch(path)}
}

/** Variables that would make commands of the child use another target than the server. */
const misleading = ['FRONTDESK_TOKEN', 'FRONTDESK_PROFILE', 'FRONTDESK_STORE', 'FRONTDESK_CA_FILE']

export const childEnvironment = (env: Environment, own: Environment): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.includes(name))),
  ...own,
})

/** The exit code that a shell gives to a program that was ended by a signal. */
const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/**
 * Runs a program without a shell and returns its exit code. It inherits the streams of this process, and signals are
 * forwarded to it.
 */
export async function runProgram(
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
  const signal = interruption()
  const child = spawn(file, argv, {env, stdio})
  child.stdout?.pipe(stdout, {end: false})
  child.stderr?.pipe(stderr, {end: false})
  const forward = () => child.kill(receivedSignal() ?? 'SIGTERM')
  signal.addEventListener('abort', forward)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const why = `${oneLine(file)} cannot be run: ${whyNot(error)}.`
        reject(usage(why, 'Give a program and its arguments after --; a shell is not involved.'))
      })
      child.once('close', (code, ended) => resolve(code ?? codeOf(ended ?? 'SIGKILL')))
    })
  } finally {
    signal.removeEventListener('abort', forward)
  }
}
