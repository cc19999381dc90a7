import {parseArgs} from 'node:util'
import {fuzz} from './fuzz.js'

/** `npm run fuzz -- --seed 7 --requests 1000000`; `--from` goes on, or repeats what a run has found but for what it had learned. */
const {values} = parseArgs({
  options: {
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    from: {type: 'string', default: '0'},
    requests: {type: 'string', default: '20000'},
  },
})
const [seed, from, count] = [Number(values.seed), Number(values.from), Number(values.requests)]
const {statuses, longestHeldMs, mostMegabytes, faults} = await fuzz({seed, from, count})
const counted = [...statuses].sort().map(([status, times]) => `${status} × ${times}`)
console.log(`seed ${seed}: ${counted.join(', ')}`)
console.log(`held for ${longestHeldMs.toFixed(0)} ms at most; ${mostMegabytes.toFixed(0)} MB at most`)
for (const fault of faults) console.log(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1
