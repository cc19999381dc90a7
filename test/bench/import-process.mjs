// One import by the compiled library, in a process of its own: `FILE check|:memory:|FOLDER|URL [clientId secret]`. Prints
// for each run the rows, milliseconds, microseconds of CPU, and the peak of the memory in megabytes.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setFlagsFromString} from 'node:v8'
import {connect} from '../../dist/src/index.js'
import {checkRows} from '../../dist/src/transfer/check/checked-rows.js'
import {openSources} from '../../dist/src/transfer/input/source.js'
import {importCustomers} from '../../dist/src/transfer/import.js'

// As the command sets it (src/cli/bulk/bulk-command.ts).
setFlagsFromString('--heap-growing-percent=50')

const [file = '', target = '', clientId, clientSecret] = process.argv.slice(2)
const {list} = await openSources([file])
const jobsDir = mkdtempSync(join(tmpdir(), 'frontdesk-bench-jobs-'))

/** @type {(run: () => Promise<number>) => Promise<void>} */
async function told(run) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const rows = await run()
  const ms = performance.now() - started
  const {user, system} = process.cpuUsage(cpu)
  console.log(JSON.stringify({rows, ms, cpuUs: user + system, peakMb: process.resourceUsage().maxRSS / 1024}))
}

async function checked() {
  const {pieces} = await checkRows({
    sources: list,
    mapping: {},
    match: 'key',
    mode: 'upsert',
    seed: 1,
    isOurs: async () => true,
    today: new Date().toISOString().slice(0, 10),
  })
  let count = 0
  for await (const rows of pieces) for (const {issues} of rows) count += Number(issues.length === 0)
  return count
}

async function connected() {
  if (clientId === undefined) return connect({kind: 'embedded', projectKey: 'bench', dataDir: target}, {retries: 0})
  const credentials = /** @type {const} */ ({kind: 'client', clientId, secret: async () => clientSecret ?? ''})
  return connect({kind: 'remote', projectKey: 'bench', apiUrl: target, authUrl: target, credentials}, {retries: 0})
}

/** @type {() => Promise<number>} */
async function imported() {
  const client = await connected()
  const {read, failed} = await importCustomers(client, list, {jobsDir, target})
  // Closing is a part: a state in files is compacted then.
  await client.close()
  if (failed > 0) throw new Error(`${failed} rows failed`)
  return read
}

try {
  await told(target === 'check' ? checked : imported)
} finally {
  rmSync(jobsDir, {recursive: true, force: true})
}
