#!/usr/bin/env node
// `npm run check`: the tool of every script `check:…`, as many at a time as there are processors, but two at least. Prints
// what those say that fail, and ends with 1 if any does.
import {exec} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const env = {...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`}
const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The longest first, so that none is left to run alone. @type {string[]} */
const tools = Object.keys(scripts)
  .filter((name) => name.startsWith('check:'))
  .map((name) => scripts[name])

/**
 * @param {string} tool
 * @returns {Promise<boolean>} Whether it is content.
 */
function run(tool) {
  const started = performance.now()
  return new Promise((resolve) => {
    exec(tool, {cwd: root, env, maxBuffer: 64 * 1024 * 1024}, (error, stdout, stderr) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${error ? 'FAIL' : 'ok  '}  ${tool}  (${seconds} s)\n${error ? stdout + stderr : ''}`)
      resolve(!error)
    })
  })
}

const waiting = [...tools]
let failed = 0
async function work() {
  for (let tool = waiting.shift(); tool !== undefined; tool = waiting.shift()) if (!(await run(tool))) failed += 1
}
await Promise.all(Array.from({length: Math.max(2, availableParallelism())}, work))
if (failed > 0) process.exitCode = 1
