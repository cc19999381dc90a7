// Plain JavaScript, so that a worker starts from the sources as well, where no TypeScript loader reaches it.
import {parentPort} from 'node:worker_threads'
import bcrypt from 'bcryptjs'

/** @typedef {import('./worker-pool.js').PasswordTask} PasswordTask */
/** @typedef {import('./worker-pool.js').PasswordAnswer} PasswordAnswer */

// One hash at a time with the synchronous call: bcryptjs' asynchronous one only slices the same work.
parentPort?.on('message', (/** @type {PasswordTask} */ {id, text, cost, hash, decoys = []}) => {
  /** @type {PasswordAnswer} */
  const answer =
    hash === undefined ? {id, hash: bcrypt.hashSync(text, cost)} : {id, matches: bcrypt.compareSync(text, hash)}
  for (const decoy of decoys) bcrypt.compareSync(text, decoy)
  parentPort?.postMessage(answer)
})
