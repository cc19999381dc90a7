import {ApiError} from '../../domain/errors.js'

/** Each takes a kB. */
const mostWaiting = 10_000

interface Waiting<P> {
  readonly entry: P
  readonly error: unknown
}

interface WaitingOptions<P> {
  /** Whether another row of the run gives up what a row was refused for. */
  readonly waits?: (entry: P) => Promise<boolean>
  readonly signal?: AbortSignal
}

/** Rows that want a value which another row of the run is to give up. */
export function waitingRows<P>({waits, signal}: WaitingOptions<P>) {
  let open: Waiting<P>[] = []
  return {
    /** Takes a refused row, unless it has nothing to wait for. */
    async takes(entry: P, error: unknown): Promise<boolean> {
      if (!(error instanceof ApiError && error.is('DuplicateField')) || open.length >= mostWaiting) return false
      if (!(await waits?.(entry).catch(() => false))) return false
      open.push({entry, error})
      return true
    },
    /** Writes the rows as long as one of them succeeds, the last one first: most wait for later ones. Returns the rest. */
    async end(write: (entry: P) => Promise<void>, isStopped: () => boolean): Promise<readonly Waiting<P>[]> {
      for (let before = -1; open.length !== before; ) {
        const left = open
        before = left.length
        open = []
        for (const {entry} of left.reverse()) {
          signal?.throwIfAborted()
          if (isStopped()) return []
          await write(entry)
        }
      }
      return open
    },
  }
}
