'use strict'
// A server from the sources that counts what its requests take: says over IPC where it listens, then answers `begin`, `end`
// (what was counted since) and `import FILE FOLDER` (what an import took). V8 does not optimise here (see counts.test.ts).
const {createHook} = require('node:async_hooks')
const fs = require('node:fs')
require('../typescript.cjs')

const none = {promises: 0, jsonCharacters: 0, parsed: 0, fileCalls: 0, syncs: 0, bytesWritten: 0}
let counts = {...none}

/** @param {Record<string, any>} owner @param {string} name @param {(given: any[], result: any) => void} note */
function counting(owner, name, note) {
  const original = owner[name]
  const counted = function (/** @type {any[]} */ ...given) {
    const result = original.apply(this, given)
    note(given, result)
    return result
  }
  // Node reads how to turn a call into a promise from symbols of the function.
  owner[name] = Object.defineProperties(counted, Object.getOwnPropertyDescriptors(original))
}

counting(JSON, 'stringify', (_given, text) => (counts.jsonCharacters += text?.length ?? 0))
counting(JSON, 'parse', () => (counts.parsed += 1))
for (const name of Object.keys(fs)) {
  if (typeof fs[name] !== 'function' || !/^[a-z]/.test(name)) continue
  counting(fs, name, ([, content, , length]) => {
    counts.fileCalls += 1
    if (/sync(Sync)?$/.test(name) && name.startsWith('f')) counts.syncs += 1
    // Blanks ahead of a journal's commits are counted with the bytes that replace them.
    const isAhead = content?.[0] === 32
    if ((name === 'write' || name === 'writeSync') && !isAhead)
      counts.bytesWritten += length ?? Buffer.byteLength(content)
  })
}

const promises = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises += 1
  },
})

let heapBefore = 0
function begin() {
  globalThis.gc()
  counts = {...none}
  promises.enable()
  heapBefore = process.memoryUsage().heapUsed
}

function end() {
  const heapBytes = process.memoryUsage().heapUsed - heapBefore
  return {...counts, heapBytes}
}

/** @param {string} file @param {string} folder */
async function imported(file, folder) {
  const {connect} = require('../../src/index.ts')
  const {openSources} = require('../../src/transfer/input/source.ts')
  const {importCustomers} = require('../../src/transfer/import.ts')
  const client = await connect({kind: 'embedded', projectKey: 'bench', dataDir: folder}, {retries: 0})
  const {list} = await openSources([file])
  begin()
  const {created} = await importCustomers(client, list, {jobsDir: `${folder}-jobs`, target: 'bench'})
  const taken = end()
  await client.close()
  return {...taken, created}
}

async function main() {
  const {startServer} = require('../../src/index.ts')
  const {apiUrl, client} = await startServer({dataDir: process.argv[2], projectKey: 'bench'})
  process.on('message', async (asked) => {
    const [verb, ...words] = String(asked).split(' ')
    if (verb === 'begin') begin()
    process.send(verb === 'import' ? await imported(...words) : end())
  })
  process.on('disconnect', () => process.exit())
  process.send({apiUrl, client})
}

main()
