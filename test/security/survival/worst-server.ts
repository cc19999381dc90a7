import {monitorEventLoopDelay} from 'node:perf_hooks'
import {startServer} from '../../../src/server/start.js'

/* A server in a process of its own that tells for how long its event loop was held: between `begin` and `end`. */
const server = await startServer({
  dataDir: ':memory:',
  projectKey: 'demo',
  seedDir: 'fixtures/demo',
  settings: {passwordCost: 4, lockout: false},
})
/** How long this machine takes to read and write a megabyte of JSON: what the speed of a slow one is compared with. */
function unitMs(): number {
  const text = JSON.stringify(Array.from({length: 5_000}, (_, at) => ({id: at, text: 'x'.repeat(180)})))
  const once = () => {
    const began = performance.now()
    JSON.stringify(JSON.parse(text))
    return performance.now() - began
  }
  return Math.min(...Array.from({length: 10}, once))
}

const delays = monitorEventLoopDelay({resolution: 1})
delays.enable()
process.on('message', (word) => {
  if (word === 'begin') delays.reset()
  // A timer lets the delay of the last slice be noted first.
  setTimeout(() => process.send?.({word, heldMs: delays.max / 1e6}), 3)
})
process.on('disconnect', () => process.exit(0))
process.send?.({word: 'listening', origin: server.apiUrl, client: server.client, unitMs: unitMs()})
