import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {Session} from 'node:inspector/promises'

// A profile is read by the names of the sources, which what ships does not have.
const library = process.env.BENCH_PROFILE ? '../../dist/src/index.js' : '../../dist/lib/index.mjs'
const {startServer} = await import(library)

/**
 * The built server in a process of its own, and a bare one in another: `bare`, or the state's folder (`:memory:` too) and
 * perhaps a database. Says over IPC where it listens, and then the CPU time that it has used whenever it is asked.
 */
const [dataDir, storeUrl] = process.argv.slice(2)

/** Answers every request with as many bytes as its path names: `/560`. */
function bare() {
  const texts = new Map()
  const textOf = (bytes) => {
    const known = texts.get(bytes) ?? JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
    texts.set(bytes, known)
    return known
  }
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const text = textOf(Number(request.url.slice(1)))
      response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)})
      response.end(text)
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({apiUrl: `http://127.0.0.1:${server.address().port}`}))
  })
}

const started =
  dataDir === 'bare'
    ? await bare()
    : await startServer({dataDir, projectKey: 'bench', ...(storeUrl === undefined ? {} : {storeUrl})})

/** Begins a CPU profile, or ends it and writes it to a file. */
let session
async function profile(path) {
  if (session) {
    const {profile: taken} = await session.post('Profiler.stop')
    session.disconnect()
    session = undefined
    writeFileSync(path, JSON.stringify(taken))
    return
  }
  session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', {interval: 250})
  await session.post('Profiler.start')
}

process.on('message', async (asked) => {
  if (asked !== 'usage') await profile(asked)
  process.send({...process.cpuUsage(), rss: process.memoryUsage.rss()})
})
process.on('disconnect', () => process.exit())
process.send({apiUrl: started.apiUrl, client: started.client})
