import {setFlagsFromString} from 'node:v8'

/*
 * How V8 spends memory and time on a run over many rows, as flags that it reads whenever it decides. Source: `node
 * --v8-options`, the same on Node 20 to 26.
 */

/** V8's own. The code that is kept at the exit is valid for the flags of that moment. */
const usual = ['--heap-growing-percent=0', '--incremental-marking', '--max-inlined-bytecode-size-cumulative=920']

/** By default the heap keeps several times the live data: a third more memory, for nothing. */
const long = ['--heap-growing-percent=50']

/**
 * A run of a second ends before its code is hot: with a third of the inlining the compiler, which works beside it, takes a
 * quarter less. Of some tens of MB, a whole collection takes less than marking them step by step.
 */
const short = ['--heap-growing-percent=100', '--no-incremental-marking', '--max-inlined-bytecode-size-cumulative=300']

const runs = {usual, long, short}

/** Sets what a run of a length needs; `usual` after it. */
export function setHeap(run: keyof typeof runs): void {
  for (const flag of runs[run]) setFlagsFromString(flag)
}
