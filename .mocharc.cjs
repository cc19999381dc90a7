'use strict'
const {readdirSync} = require('node:fs')
const {availableParallelism} = require('node:os')
const {join} = require('node:path')
const {keepInMemory} = require('./test/scratch.cjs')

keepInMemory()

/** The longest first, so that no worker is left with one of them at the end. */
const longest = [
  'e2e/canary',
  'e2e/readme',
  'e2e/guides',
  'cli/command/examples',
  'deprecations/fixtures',
  'store/postgres/model',
  'store/postgres/contract',
  'crash/power-cut',
  'transfer/faults',
  'transfer/kill',
  'cli/settlement/passwords',
  'cli/settlement/others',
  'cli/settlement/customers',
  'store/lowdb/full-disk',
  'store/copy-state',
  'store/postgres/lost/killed',
  'store/postgres/servers',
  'cli/bad-input',
  'e2e/durability',
  'api/carts/concurrency',
].map((name) => join('test', `${name}.test.ts`))

const all = readdirSync(join(__dirname, 'test'), {recursive: true})
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
const missing = longest.filter((name) => !all.includes(name))
if (missing.length > 0) throw new Error(`${missing.join(', ')} is no test any more.`)

module.exports = {
  require: './test/typescript.cjs',
  spec: [...longest, ...all.filter((name) => !longest.includes(name)).sort()],
  reporter: './test/reporter.cjs',
  // Only ends what hangs: no test may depend on the speed of the machine.
  timeout: 900_000,
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  'forbid-only': true,
}
