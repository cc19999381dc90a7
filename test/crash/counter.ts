import {openStore} from '../../src/store/open.js'
import {type Document, VersionConflict} from '../../src/store/store.js'
import {patienceMs} from '../patience.js'
import {say} from './say.js'

/*
 * One of many: opens the state as a one-shot command does, raises a shared counter, and says so, as often as its second
 * argument says. With a third argument it dies instead of closing.
 */
const [dir = '', times = '1', dies = ''] = process.argv.slice(2)

async function raise(): Promise<number> {
  const store = await openStore({dir, facets: {}, writer: 'one-shot', lockTimeoutMs: patienceMs})
  for (;;) {
    const version = (await store.get<Document>('shop', 'counters', 'c'))?.version ?? 0
    try {
      await store.commit('shop', [{kind: 'counters', expect: version, doc: {id: 'c', version: version + 1}}])
      say(`${version + 1}`)
      if (dies) process.kill(process.pid, 'SIGKILL')
      await store.close()
      return version + 1
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
    }
  }
}

for (let time = 0; time < Number(times); time += 1) await raise()
