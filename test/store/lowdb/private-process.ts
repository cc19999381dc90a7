import {openStore} from '../../../src/store/open.js'

/* Writes every kind of file below the folder of its first argument, under the umask of its second, and dies. */
const [dir = '', umask] = process.argv.slice(2)
process.umask(Number(umask))
const store = await openStore({dir, facets: {}, writer: 'server'})
for (let at = 0; at < 3; at += 1) {
  await store.commit('shop', [{kind: 'people', expect: 0, doc: {id: `p${at}`, version: 1}}])
  await store.compact()
}
await store.publish('http://127.0.0.1:1')
process.kill(process.pid, 'SIGKILL')
