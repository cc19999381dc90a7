'use strict'
const {readdirSync} = require('node:fs')
const {availableParallelism} = require('node:os')
const {join} = require('node:path')
const {keepInMemory} = require('./test/scratch.cjs')

keepInMemory()

const pathOf = (name) => join('test', `${name}.test.ts`)

/** What takes longer than eight seconds alone: runs in `.ci/run` and with FRONTDESK_THOROUGH=1 (decision 71). */
const long = [
  ...['e2e/canary', 'e2e/readme', 'e2e/guides', 'e2e/maintenance', 'crash/broken-off', 'declared-members'],
  ...['security/survival/s-answers', 'security/survival/s-unread-at-once', 'security/survival/s-worst'],
  ...['server/window/narrow', 'cli/page/dossier-page', 'cli/page/job-page', 'cli/safety/idle-flags'],
  ...['store/postgres/lost/killed', 'store/postgres/lost/away', 'store/copy-state'],
  ...['cli/safety/odd-answers', 'cli/settlement/others', 'cli/settlement/passwords', 'cli/bad-input'],
  ...['cli/command/examples', 'crash/signal-table', 'crash/signals', 'crash/forward', 'transfer/kill', 'fuzz/fuzz'],
  ...['server/window/window'],
].map(pathOf)
const isLong = process.env.FRONTDESK_LONG === '1' || process.env.FRONTDESK_THOROUGH === '1'

/** The longest first, so that no worker is left with one of them at the end. */
const longest = [
  ...(isLong ? long : []),
  ...[
    'deprecations/fixtures',
    'store/postgres/model',
    'store/postgres/contract',
    'crash/power-cut',
    'transfer/faults',
    'cli/settlement/customers',
    'store/lowdb/full-disk',
    'store/postgres/servers',
    'e2e/durability',
    'api/carts/concurrency',
  ].map(pathOf),
]

const all = readdirSync(join(__dirname, 'test'), {recursive: true})
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
const missing = [...long, ...longest].filter((name) => !all.includes(name))
if (missing.length > 0) throw new Error(`${missing.join(', ')} is no test any more.`)

module.exports = {
  require: './test/typescript.cjs',
  spec: [...longest, ...all.filter((name) => ![...long, ...longest].includes(name)).sort()],
  reporter: './test/reporter.cjs',
  // Only ends what hangs: no test may depend on the speed of the machine.
  timeout: 900_000,
  parallel: true,
  jobs: Math.max(2, availableParallelism()),
  'forbid-only': true,
}
