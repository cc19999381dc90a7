import {openRuntime} from '../../src/server/local/runtime.js'
import {say} from './say.js'

/*
 * The victim: fills the folder of its first argument with as many messages as its second says, and sweeps them a year
 * later, until it is killed: at its fifth commit at the latest. It says how many commits of the sweep it has made.
 */
const [dataDir = '', messages = '0', now = '0'] = process.argv.slice(2)

const runtime = await openRuntime({dataDir, writer: 'server'})
const {state, sweeper} = runtime
const createdAt = new Date(Number(now)).toISOString()
const project = {id: 'shop', key: 'shop', version: 1, createdAt, messages: {enabled: true, deleteDaysAfterCreation: 15}}
await state.commit('_', [{kind: 'project', expect: 0, doc: project}])
const docs = Array.from({length: Number(messages)}, (_, at) => ({id: `person-${at}`, version: 1, createdAt}))
await state.commit(
  'shop',
  docs.map((doc) => ({kind: 'message', expect: 0, doc})),
)
const commit = state.commit.bind(state)
let commits = 0
Object.assign(state, {
  commit: async (...given: Parameters<typeof commit>) => {
    await commit(...given)
    commits += 1
    say(String(commits))
    if (commits === 5) await new Promise(() => setInterval(() => undefined, 1_000))
  },
})
await sweeper.sweep(Number(now) + 365 * 86_400_000)
