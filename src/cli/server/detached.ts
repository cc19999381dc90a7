import {execFileSync} from 'node:child_process'
import {closeSync, openSync, readdirSync} from 'node:fs'
import {devNull} from 'node:os'
import {join} from 'node:path'
import {openPrivate, privateFolder} from '../../files/private-file.js'
import type {RunningServer} from '../../index.js'
import type {ErrorReport} from '../output/error-report.js'
import {jsonIn} from '../output/fields.js'
import {endingOf} from '../process/exit-codes.js'
import {Failure} from '../process/failure.js'
import {interrupted, interruption} from '../process/interruption.js'

/** What a server says once it listens. */
export type Listening = Pick<RunningServer, 'apiUrl' | 'authUrl' | 'projectKey' | 'pid'>

/** How long a start may take: each step without work of the processor ends it, and so does the limit. */
const patience = {stepMs: 30_000, limitMs: 600_000, endMs: 10_000, work: processorTime}

/**
 * Starts a program of Node as a process of its own and waits for the line that it prints when it listens. Its messages go
 * to `server.log` in the folder of the state. A start that stands still, takes too long or is interrupted is ended.
 */
export async function startDetached(
  argv: readonly string[],
  dataDir: string,
  {stepMs, limitMs, endMs, work} = patience,
): Promise<Listening> {
  const {spawn} = await import('node:child_process')
  const log = join(privateFolder(dataDir), 'server.log')
  const errors = openPrivate(log, {access: 'append'})
  const nothing = openSync(devNull, 'r+')
  const stdio = ['ignore' as const, 'pipe' as const, errors, ...inherited(nothing)]
  const child = spawn(process.execPath, argv, {detached: true, stdio})
  closeSync(errors)
  closeSync(nothing)
  const {stdout, pid} = child
  if (!stdout) throw new Error('the child has no stdout')
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const notStarted = (why: string): Failure =>
    new Failure('localState', 'ServerNotStarted', `The server did not start: ${why}.`, {hints: [`See ${log}.`]})
  const signal = interruption()
  let watch: NodeJS.Timeout | undefined
  let onSignal = (): void => undefined
  try {
    return await new Promise<Listening>((resolve, reject) => {
      let isEnding = false
      /** Ends the process, and rejects once it is gone: it would hold the state and listen later. */
      const end = async (why: () => Failure): Promise<void> => {
        isEnding = true
        child.kill('SIGTERM')
        const kill = setTimeout(() => child.kill('SIGKILL'), endMs)
        await gone
        clearTimeout(kill)
        reject(why())
      }
      onSignal = () => void end(() => interrupted(`The server did not start; its process ${pid} has ended.`))
      if (signal.aborted) onSignal()
      else signal.addEventListener('abort', onSignal)
      let text = ''
      let [before, passedMs] = ['', 0]
      watch = setInterval(() => {
        const now = work(pid)
        passedMs += stepMs
        if (now !== before && passedMs < limitMs) before = now
        else {
          clearInterval(watch)
          void end(() => notStarted(`it did not report that it listens, and its process ${pid} was ended`))
        }
      }, stepMs)
      child.once('error', ({message}) => reject(notStarted(message)))
      stdout.on('end', () => {
        if (!isEnding) reject(toldFailure(text) ?? notStarted('it ended'))
      })
      stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
        const [line = '', ...rest] = text.split('\n')
        const told = rest.length > 0 ? jsonIn(line) : undefined
        if (told !== undefined && !isEnding) resolve(told as Listening)
      })
    })
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', onSignal)
    stdout.destroy()
    child.unref()
  }
}

/**
 * Closes to a child the descriptors above 2 that this process was started with: a lock of `flock`, for example, would be
 * held as long as the child lives. Node itself closes those below 17 alone, and nothing of it closes one that is not named.
 */
function inherited(nothing: number): (number | 'ignore')[] {
  const open = new Set(openDescriptors())
  return Array.from({length: Math.max(2, ...open) - 2}, (_, at) => (open.has(at + 3) ? nothing : 'ignore'))
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number)
  } catch {
    return []
  }
}

/** The processor time of a process, in whole seconds; another text each time where nobody can tell. */
function processorTime(pid = 0): string {
  try {
    return execFileSync('ps', ['-o', 'time=', '-p', String(pid)], {encoding: 'utf8'})
  } catch {
    return String(performance.now())
  }
}

function toldFailure(text: string): Failure | undefined {
  const {error} = (jsonIn(text) ?? {}) as {readonly error?: ErrorReport}
  if (error === undefined) return undefined
  const {exitCode, code, message, hints, details} = error
  return new Failure(endingOf(exitCode), code, message, {hints, details})
}
