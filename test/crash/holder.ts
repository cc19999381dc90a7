import {openStore} from '../../src/store/open.js'
import {say} from './say.js'

/* Holds the directory of its first argument as a server does, commits once, and stays until it is killed. */
const [dir = '', id = ''] = process.argv.slice(2)
const store = await openStore({dir, facets: {}, writer: 'server'})
await store.commit('shop', [{kind: 'things', expect: 0, doc: {id, version: 1}}])
say('holds')
setInterval(() => {}, 1000)
