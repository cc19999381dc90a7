import {readFileSync} from 'node:fs'
import {exitCodes} from './exit-codes.js'
import {Failure} from './failure.js'

/**
 * Handling of SIGINT, SIGTERM and SIGHUP. A command that must finish some work asks for the abort signal and ends by itself. A
 * second signal, or a first one that no command asked for, ends the process at once: everything acknowledged is on disk.
 */
const endings = {SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hungUp'} as const

export type Signal = keyof typeof endings

let controller: AbortController | undefined
let received: Signal | undefined

/** Aborted at the first signal. A caller promises to end soon after. */
export function interruption(): AbortSignal {
  controller ??= new AbortController()
  return controller.signal
}

/** The exit code of a run that a signal ended; undefined if none came. */
export const interruptedCode = (): number | undefined =>
  received === undefined ? undefined : exitCodes[endings[received]].code

/** The failure of work that a signal ended before its result. */
export const interrupted = (message: string, ...hints: readonly string[]): Failure =>
  new Failure(endings[received ?? 'SIGINT'], 'Interrupted', message, {hints})

/** The failure of work that a signal ended before its first write; any other error as it is. */
export const interruptedOr = (error: unknown): unknown =>
  error instanceof Error && error.name === 'AbortError'
    ? interrupted('Interrupted; nothing was written.', 'Repeat the command.')
    : error

type Take = (signal: Signal) => boolean

let taker: Take | undefined

/**
 * Offers each signal to `take` first: one for which it returns true does not end this process. Returns what takes the
 * offer back.
 */
export function signalsGoTo(take: Take): () => void {
  taker = take
  return () => {
    if (taker === take) taker = undefined
  }
}

/** Whether Ctrl-C at a terminal reaches a child: the terminal gives it to every process of its foreground group. */
export function hearsTerminal(pid: number | undefined): boolean {
  try {
    // Behind the name, which may hold anything: state, parent, group, session, terminal, the terminal's foreground group.
    const [, , group, , , foreground] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return group === foreground
  } catch {
    return process.stdin.isTTY || process.stderr.isTTY
  }
}

/** Soon enough for whoever waits; most commands have ended by then. */
const patienceMs = 1000

interface Reports {
  /** Reports the end where no command handles the signal. */
  readonly atOnce: (why: Failure) => void
  /** Says that the command goes on for now, to finish what it began. */
  readonly notYet: (signal: Signal) => void
}

/** Installs the handlers; once per process. */
export function handleSignals({atOnce, notYet}: Reports): void {
  // Node would open a debugger, to which every user of this machine can connect.
  process.on('SIGUSR1', () => undefined)
  for (const signal of Object.keys(endings) as Signal[]) {
    process.on(signal, () => {
      if (taker?.(signal)) return
      const first = received === undefined
      received ??= signal
      if (first && controller) {
        controller.abort()
        if (!taker) setTimeout(() => notYet(signal), patienceMs).unref()
      } else {
        atOnce(interrupted(`Ended by ${signal}.`, 'What was acknowledged is safe; look before you repeat a write.'))
        process.exit(interruptedCode())
      }
    })
  }
}
