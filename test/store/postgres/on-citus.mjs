// `npm run test:citus -- 15801,15802,15803`: the store's contract, the model, lost ends of commits and killed nodes on a cluster of
// Citus on this machine: the port of the coordinator, then those of the nodes. Anybody may enter each as `postgres`, and
// `citus.node_conninfo` is `sslmode=disable`, so that a test can cut a line between nodes. Nodes are killed and started
// again with `postgres -D` of their data, by a user who may do both.
import {spawnSync} from 'node:child_process'

const [ports] = process.argv.slice(2)
if (!/^\d+(,\d+)+$/.test(ports ?? '')) {
  console.error('Name the ports of the coordinator and of the nodes: 15801,15802,15803')
  process.exit(2)
}
const names = ['contract', 'model', 'lost-commits', 'killed-nodes'].map((name) => `test/store/postgres/${name}.test.ts`)
const words = ['node_modules/mocha/bin/mocha.js', '--no-config', '--require=./test/typescript.cjs', '--timeout=0', ...names]
const {status} = spawnSync(process.execPath, words, {stdio: 'inherit', env: {...process.env, FRONTDESK_CITUS: ports}})
process.exit(status ?? 1)
