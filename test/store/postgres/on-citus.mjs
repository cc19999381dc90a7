// `npm run test:citus -- 15801,15802,15803 [PATHS]`: every test that has a database (PATHS: those whose path matches it), on a cluster
// of Citus on this machine, whose documents lie by project and then by id. The ports are those of the coordinator, then of
// the nodes. Anybody may enter each as `postgres`, and `citus.node_conninfo` is `sslmode=disable`, so that a test can cut a line
// between nodes. Nodes are killed and started again with `postgres -D` of their data, by a user who may do both.
import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import pg from 'pg'

/** What is not asked of a cluster, and why. */
const others = {
  'api/operation/statements': 'reads what one PostgreSQL is sent; store/postgres/operations sends it to the cluster',
  'e2e/guides': 'reads the guides of one PostgreSQL',
  'store/postgres/lost/away': 'stops and refuses connections of one PostgreSQL',
  'store/postgres/connections': 'counts the connections of one PostgreSQL',
  'store/postgres/lost/faults': 'restarts one PostgreSQL, and cuts the lines to it',
  'store/postgres/lost/killed': 'kills one PostgreSQL and its standby; killed-nodes does so with those of a cluster',
  'store/postgres/large': 'counts what one PostgreSQL answers',
  'store/postgres/moved': 'sees locks of one PostgreSQL',
  'store/postgres/plans': 'reads the plans of one PostgreSQL',
  'store/postgres/schema': 'makes tables of one PostgreSQL by hand',
}

const [ports = '', paths = ''] = process.argv.slice(2)
if (!/^\d+(,\d+)+$/.test(ports)) {
  console.error('Name the ports of the coordinator and of the nodes: 15801,15802,15803')
  process.exit(2)
}

const client = new pg.Client(`postgres://postgres@127.0.0.1:${ports.split(',')[0]}/postgres`)
await client.connect()
const {rows} = await client.query('SELECT citus_version() AS citus, version() AS postgres')
await client.end()
console.log(`${rows[0].citus}\n${rows[0].postgres}`)

const withDatabase = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => /\b(startCluster|engineCluster|citusCluster)\(/.test(readFileSync(join('test', name), 'utf8')))
  .map((name) => name.replace(/\.test\.ts$/, ''))
  // Nodes are killed last.
  .sort((a, b) => a.includes('killed-nodes') - b.includes('killed-nodes'))
const run = withDatabase.filter((name) => !(name in others) && new RegExp(paths).test(name))
const files = run.map((name) => join('test', `${name}.test.ts`))
const words = ['node_modules/mocha/bin/mocha.js', '--no-config', '--require=./test/typescript.cjs', '--timeout=0', ...files]
let failed = 0
for (const layout of ['project', 'id']) {
  console.log(`\nDocuments lie by ${layout}`)
  const env = {...process.env, FRONTDESK_CITUS: ports, FRONTDESK_CITUS_BY: layout}
  failed += spawnSync(process.execPath, words, {stdio: 'inherit', env}).status === 0 ? 0 : 1
}
const left = withDatabase.filter((name) => !run.includes(name))
console.log('Not run, of the tests that have a database:')
for (const name of left) console.log(`  ${name}: ${others[name] ?? `its path does not match '${paths}'`}`)
process.exit(failed)
