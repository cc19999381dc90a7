import {closeSync, openSync, readSync} from 'node:fs'
import {startServer} from '../../../src/server/start.js'

/* A server in a process of its own that tells for how long its event loop was held at a stretch: between `begin` and `end`. */
const server = await startServer({
  dataDir: process.argv[2] ?? ':memory:',
  projectKey: 'demo',
  seedDir: 'fixtures/demo',
  settings: {passwordCost: 4, lockout: false},
})
/**
 * The CPU time of the main thread, of which other processes take nothing; where the kernel does not tell it, the time that
 * passes.
 */
function usedMs(): number {
  try {
    const file = openSync('/proc/self/schedstat', 'r')
    const length = readSync(file, buffer)
    closeSync(file)
    return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}
const buffer = Buffer.alloc(256)

/** How long this machine takes to read and write a megabyte of JSON: what the speed of a slow one is compared with. */
function unitMs(): number {
  const text = JSON.stringify(Array.from({length: 5_000}, (_, at) => ({id: at, text: 'x'.repeat(180)})))
  const once = () => {
    const began = usedMs()
    JSON.stringify(JSON.parse(text))
    return usedMs() - began
  }
  return Math.min(...Array.from({length: 10}, once))
}

let longestMs = 0
let lastMs = usedMs()
setInterval(() => {
  const nowMs = usedMs()
  longestMs = Math.max(longestMs, nowMs - lastMs)
  lastMs = nowMs
}, 1)
process.on('message', (word) => {
  if (word === 'begin') longestMs = 0
  // Two turns of the interval note the last stretch first.
  setTimeout(() => process.send?.({word, heldMs: longestMs, megabytes: usedMegabytes()}), 3)
})
/** What is in use, where the process may collect its garbage at will. */
function usedMegabytes(): number {
  globalThis.gc?.()
  const {heapUsed, external} = process.memoryUsage()
  return (heapUsed + external) / 1e6
}
process.on('disconnect', () => process.exit(0))
const {apiUrl: origin, client} = server
process.send?.({word: 'listening', origin, client, windowUrl: await server.windowUrl(), unitMs: unitMs()})
