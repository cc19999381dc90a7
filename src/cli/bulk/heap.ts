import {readdirSync} from 'node:fs'
import {getPriority, setPriority} from 'node:os'
import {setFlagsFromString} from 'node:v8'

/*
 * How V8 spends memory and time on a run over many rows, as flags that it reads whenever it decides. Source: `node
 * --v8-options`, the same on Node 20 to 26.
 */

const runs = {
  /** V8's own. The code that is kept at the exit is valid for the flags of that moment. */
  usual: ['--heap-growing-percent=0', '--incremental-marking', '--max-inlined-bytecode-size-cumulative=920'],
  /** By default the heap keeps several times the live data: a fifth more memory, for 8 % of the time of a short run. */
  long: ['--heap-growing-percent=50'],
  /**
   * A run of a second, beside what a long one sets. It ends before its code is hot: with a third of the inlining it takes a
   * tenth less of the processor. Some tens of MB are marked sooner at once than step by step; a long run would take 341 MB so.
   */
  short: ['--no-incremental-marking', '--max-inlined-bytecode-size-cumulative=300'],
}

/** Sets what a run of a length needs; `usual` after it. */
export function setHeap(run: keyof typeof runs): void {
  for (const flag of runs[run]) setFlagsFromString(flag)
  if (run === 'short') putThreadsBehind()
}

/** By how much their nice(2) is above that of the process: they get a tenth of a processor that it wants too. */
const [behind, last] = [10, 19]

/**
 * Lets V8's own threads, which compile and collect, give way to the thread that has the work. Beside four of them on two
 * processors it waited for one an eighth of its time. Linux alone has a priority for each thread; it stays until the end.
 */
function putThreadsBehind(): void {
  if (process.platform !== 'linux') return
  try {
    const threads = readdirSync('/proc/self/task').map(Number)
    // Otherwise the numbers are those of another namespace.
    if (!threads.includes(process.pid)) return
    const priority = Math.min(getPriority() + behind, last)
    for (const one of threads) if (one !== process.pid) setPriority(one, priority)
  } catch {
    // Without /proc, or where a thread has just ended: then it takes as long as elsewhere.
  }
}
