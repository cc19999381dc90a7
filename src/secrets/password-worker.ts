import {parentPort} from 'node:worker_threads'
import bcrypt from 'bcryptjs'
import type {PasswordAnswer, PasswordTask} from './passwords.js'

// A worker computes one hash at a time with the synchronous call: bcryptjs' asynchronous one only slices the same work.
parentPort?.on('message', (task: PasswordTask) => {
  const answer: PasswordAnswer =
    task.hash === undefined
      ? {id: task.id, hash: bcrypt.hashSync(task.text, task.cost)}
      : {id: task.id, matches: bcrypt.compareSync(task.text, task.hash)}
  parentPort?.postMessage(answer)
})
