import {readFileSync} from 'node:fs'
import {facets} from '../../src/server/local/facets.js'
import {openStore} from '../../src/store/open.js'

/* Opens the state in a folder, or parses a file of lowdb, and answers a first look-up: milliseconds and megabytes. */
const [kind = '', path = ''] = process.argv.slice(2)
const email = 'email:*:customer-500@example.com'
// The modules are loaded first: they cost the same for any state.
const other = await openStore({dir: `${path}-other`, facets, writer: 'server'})
await other.find('bench', 'customer', email)
await other.close()
const before = process.memoryUsage().rss
const started = performance.now()
if (kind === 'lowdb') {
  const {customers} = JSON.parse(readFileSync(path, 'utf8')) as {customers: {email: string}[]}
  if (!customers.some((one) => one.email.toLowerCase() === 'customer-500@example.com')) throw new Error('not found')
} else {
  const store = await openStore({dir: path, facets, writer: 'server'})
  if (!(await store.find('bench', 'customer', email))) throw new Error('not found')
  const milliseconds = performance.now() - started
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20
  process.stdout.write(JSON.stringify({milliseconds, megabytes}))
  await store.close()
  process.exit(0)
}
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20
process.stdout.write(JSON.stringify({milliseconds: performance.now() - started, megabytes}))
