import {parentPort} from 'node:worker_threads'

/* A password worker that hashes nothing, and ends in the way that a password names. */
const endings = {
  'ends quietly': () => process.exit(0),
  'ends with a code': () => process.exit(3),
  'throws at once': () => {
    throw new Error('a fault in the worker')
  },
  'throws later': () => setImmediate(() => Promise.reject(new Error('a fault in the worker'))),
  'answers somebody else': () => {
    parentPort?.postMessage({id: -1, hash: 'of another'})
    process.exit(1)
  },
  'runs out of memory': () => {
    for (const kept = []; ; ) kept.push(Array.from({length: 1 << 16}, (_, at) => at))
  },
}

parentPort?.on('message', (/** @type {{id: number, text: string, hash?: string}} */ {id, text, hash}) => {
  const end = Reflect.get(endings, text)
  if (end) end()
  else parentPort?.postMessage(hash ? {id, matches: text === 'right horse'} : {id, hash: text})
})
