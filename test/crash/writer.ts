import {openDirectory} from '../../src/store/lowdb/folder/directory.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import {say} from './say.js'

/*
 * The victim: commits to the directory of its first argument until it is killed, in so many lanes as its second says.
 * Each lane changes one document, over and over; every acknowledged version goes to stdout before the next commit.
 */
const [dir = '', lanes = '4', round = '0', compactBytes = '4096'] = process.argv.slice(2)

const store = new LowStore(
  await openDirectory({dir, facets: {}, writer: 'server', compactBytes: Number(compactBytes)}),
  {},
)

async function lane(number: number): Promise<void> {
  const id = `lane-${number}`
  const kept = await store.get<{id: string; version: number}>('shop', 'lanes', id)
  for (let version = (kept?.version ?? 0) + 1; ; version += 1) {
    const name = `${round}-${number}-${version}`
    await store.commit('shop', [
      {kind: 'lanes', expect: version - 1, doc: {id, version}, uniqueKeys: [{key: `last:${name}`}]},
      {kind: 'things', expect: 0, doc: {id: name, version: 1}, uniqueKeys: [{key: `name:${name}`}]},
    ])
    say(`${number} ${version} ${name}`)
  }
}

await Promise.all(Array.from({length: Number(lanes)}, (_, number) => lane(number)))
