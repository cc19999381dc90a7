import {writeSync} from 'node:fs'

const clock = new Int32Array(new SharedArrayBuffer(4))

/** Puts a line on stdout before it returns, so that a kill right after it cannot take it back. */
export function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`)
      return
    } catch (error) {
      // The reader is behind and the pipe is full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}
