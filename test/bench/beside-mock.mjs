#!/usr/bin/env node
// Draws docs/beside-mock.svg: requests for each second of CPU time of the server, by number of customers, of frontdesk and of
// commercetools-mock, in turns. CPU time, since what else runs on the machine changes it little.
// `npm install @labdigital/commercetools-mock` in an empty folder, `npm run build`, then
// `node test/bench/beside-mock.mjs FOLDER docs/beside-mock.svg`. It takes four minutes; a JSON of its figures in place of
// FOLDER draws them again.
import {fork} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {availableParallelism, cpus} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {Pool} from 'undici'

const counts = (process.env.BENCH_COUNTS ?? '1000,10000,100000').split(',').map(Number)
const [warmUpMs, windowMs] = [1_500, 2_000]
const connections = 10
const projectKey = 'shop'
const subjects = ['frontdesk', 'commercetools-mock']
const [given = '', out = '', role] = process.argv.slice(2)

const idOf = (at) => `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const draftOf = (at) => ({
  email: `person-${at}@example.com`,
  key: `person-${at}`,
  customerNumber: `P-${at}`,
  authenticationMode: 'ExternalAuth',
  firstName: `First ${at % 977}`,
  lastName: `Last ${at % 1009}`,
  addresses: [{key: 'home', country: 'DE', city: 'Berlin', streetName: 'Uferstraße', streetNumber: String(at % 200)}],
})

/** Each starts a server in this process, and says how customers get into it. */
const servers = {
  async frontdesk() {
    const {startServer} = createRequire(import.meta.url)(join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/lib/index.js'))
    const server = await startServer({projectKey})
    return {origin: server.apiUrl, ...server.client, seed: (customers) => server.seed({customers})}
  },
  async 'commercetools-mock'() {
    const path = createRequire(join(given, 'x.js')).resolve('@labdigital/commercetools-mock')
    const {CommercetoolsMock} = await import(pathToFileURL(path))
    const mock = new CommercetoolsMock({defaultProjectKey: projectKey, silent: true, enableAuthentication: true, validateCredentials: true})
    const port = 40_000 + (process.pid % 20_000)
    await mock.runServer(port)
    const now = new Date().toISOString()
    const seed = async (drafts) => {
      for (const draft of drafts) {
        const own = {version: 1, createdAt: now, lastModifiedAt: now, isEmailVerified: false, stores: []}
        await mock.project().unsafeAdd('customer', {...own, ...draft})
      }
    }
    return {origin: `http://127.0.0.1:${port}`, clientId: 'any', clientSecret: 'any', seed}
  },
}

/** A server in a process of its own; `grow` fills it up to a number of customers. */
async function started(name) {
  const child = fork(fileURLToPath(import.meta.url), [given, out, name])
  const heard = () => new Promise((resolve) => child.once('message', resolve))
  const {origin, clientId, clientSecret} = await heard()
  const pool = new Pool(origin, {connections})
  const form = {
    authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = `grant_type=client_credentials&scope=${encodeURIComponent(`manage_project:${projectKey}`)}`
  const granted = await pool.request({path: '/oauth/token', method: 'POST', headers: form, body})
  const headers = {authorization: `Bearer ${(await granted.body.json()).access_token}`, 'content-type': 'application/json'}
  const ask = async (path, draft) => {
    const sent = draft === undefined ? {method: 'GET'} : {method: 'POST', body: JSON.stringify(draft)}
    const answer = await pool.request({path: `/${projectKey}/${path}`, headers, ...sent})
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${name} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }
  const told = (message) => {
    const answer = heard()
    child.send(message)
    return answer
  }
  /** Requests for each second of CPU time, on all connections at once. */
  const rate = async (one) => {
    let count = 0
    const during = async (ms) => {
      const until = performance.now() + ms
      const work = async () => {
        while (performance.now() < until) {
          await one()
          count += 1
        }
      }
      await Promise.all(Array.from({length: connections}, work))
    }
    await during(warmUpMs)
    const began = await told('cpu')
    count = 0
    await during(windowMs)
    return Math.round((count / ((await told('cpu')) - began)) * 1e6)
  }
  return {ask, rate, grow: told, stop: async () => (await pool.destroy(), child.kill())}
}

/** The paths that are drawn: what each asks, of a server with so many customers. */
const paths = {
  'read by id': ({ask}, count) => () => ask(`customers/${idOf(Math.floor(Math.random() * count))}`),
  'find by email': ({ask}, count) => () => {
    const where = `email="person-${Math.floor(Math.random() * count)}@example.com"`
    return ask(`customers?where=${encodeURIComponent(where)}`)
  },
  'create': ({ask}) => () => ask('customers', draftOf((created += 1))),
}
let created = 10_000_000

async function measured() {
  const figures = {}
  const running = await Promise.all(subjects.map(started))
  for (const count of counts) {
    for (const {grow} of running) await grow(count)
    for (const [path, callOf] of Object.entries(paths)) {
      for (const [at, subject] of subjects.entries()) {
        const rate = await running[at].rate(callOf(running[at], count))
        figures[path] = {...figures[path], [subject]: {...figures[path]?.[subject], [count]: rate}}
        console.error(`${count} customers, ${path}, ${subject}: ${rate}/s`)
      }
    }
  }
  await Promise.all(running.map(({stop}) => stop()))
  const mock = JSON.parse(readFileSync(join(given, 'node_modules/@labdigital/commercetools-mock/package.json'), 'utf8'))
  const machine = `${availableParallelism()} cores of ${cpus()[0].model.trim()}`
  const made = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine}, commercetools-mock ${mock.version}`
  return {made, figures}
}

const style = `text{font:12px system-ui,sans-serif;fill:#596273}.name{font-weight:600;fill:#1c2330}.ours{fill:none;stroke:#0b57c2;stroke-width:2.5}
.theirs{fill:none;stroke:#7f5a00;stroke-width:2.5;stroke-dasharray:6 4}.grid{stroke:#d8dde6}circle.ours{fill:#0b57c2}circle.theirs{fill:#7f5a00;stroke-dasharray:none}
.ink-ours{fill:#0b57c2}.ink-theirs{fill:#7f5a00}.back{fill:#fff}
@media (prefers-color-scheme:dark){.back{fill:#14181f}text{fill:#a3adbd}.name{fill:#e6e9ef}.grid{stroke:#333b48}.ours{stroke:#8ab8ff}.theirs{stroke:#e3b341}circle.ours,.ink-ours{fill:#8ab8ff}circle.theirs,.ink-theirs{fill:#e3b341}}`

const short = (number) => (number >= 1_000 ? `${Math.round(number / 100) / 10}k` : String(number))

/** A panel for each path; both axes are logarithmic. */
function drawn({made, figures}) {
  const [width, height, left, top] = [210, 170, 44, 50]
  const all = Object.values(figures).flatMap((lines) => Object.values(lines).flatMap(Object.values))
  const [low, high] = [Math.floor(Math.log10(Math.max(1, Math.min(...all)))), Math.ceil(Math.log10(Math.max(...all)))]
  const sizes = Object.keys(Object.values(Object.values(figures)[0])[0]).map(Number)
  const y = (rate) => top + height - ((Math.log10(Math.max(1, rate)) - low) / (high - low)) * height
  const parts = Object.entries(figures).map(([path, lines], panel) => {
    const from = left + panel * (width + 40)
    const x = (at) => from + 20 + (sizes.length === 1 ? 0.5 : at / (sizes.length - 1)) * (width - 40)
    const rows = Array.from({length: high - low + 1}, (_, at) => 10 ** (low + at)).map(
      (rate) => `<path class="grid" d="M${from} ${y(rate)}h${width}"/>${panel === 0 ? `<text x="${from - 6}" y="${y(rate) + 4}" text-anchor="end">${short(rate)}</text>` : ''}`,
    )
    const names = sizes.map((size, at) => `<text x="${x(at)}" y="${top + height + 18}" text-anchor="middle">${short(size)}</text>`)
    const drawnLines = Object.values(lines).map((rates, line) => {
      const points = sizes.map((size, at) => [x(at), y(rates[size]), rates[size]])
      const other = Object.values(lines)[1 - line] ?? rates
      const kind = line === 0 ? 'ours' : 'theirs'
      const labels = points.map(([px, py, rate], at) => {
        const above = py > top + height - 18 || rate > other[sizes[at]] || (rate === other[sizes[at]] && line === 0)
        return `<circle class="${kind}" cx="${px}" cy="${py.toFixed(1)}" r="3"/><text class="ink-${kind}" x="${px}" y="${(py + (above ? -8 : 18)).toFixed(1)}" text-anchor="middle">${short(rate)}</text>`
      })
      return `<polyline class="${kind}" points="${points.map(([px, py]) => `${px},${py.toFixed(1)}`).join(' ')}"/>${labels.join('')}`
    })
    return `<text class="name" x="${from}" y="${top - 18}">${path}</text>${rows.join('')}${names.join('')}${drawnLines.join('')}`
  })
  const said = Object.entries(figures).flatMap(([path, lines]) =>
    Object.entries(lines).map(([subject, rates]) => `${path}, ${subject}: ${sizes.map((size) => `${rates[size]} at ${size}`).join(', ')}.`),
  )
  const [w, h] = [left + 3 * (width + 40), top + height + 50]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">
<title>Requests for each second of CPU time, by number of customers</title><desc>${said.join(' ')} ${made}.</desc><style>${style}</style><rect class="back" width="${w}" height="${h}"/>
<path class="ours" d="M${left} 14h26"/><text class="ink-ours" x="${left + 32}" y="18">frontdesk</text><path class="theirs" d="M${left + 110} 14h26"/><text class="ink-theirs" x="${left + 142}" y="18">commercetools-mock</text><text x="${w - 40}" y="18" text-anchor="end">requests for each second of CPU time, by number of customers</text>
${parts.join('\n')}
<text x="${left}" y="${h - 8}">${made}</text>
</svg>
`
}

if (role === undefined) {
  const result = given.endsWith('.json') ? JSON.parse(readFileSync(given, 'utf8')) : await measured()
  if (!given.endsWith('.json')) writeFileSync(out.replace(/\.svg$/, '.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(out, drawn(result))
} else {
  const {seed, ...place} = await servers[role]()
  let present = 0
  process.on('message', async (count) => {
    if (count === 'cpu') {
      const {user, system} = process.cpuUsage()
      return process.send(user + system)
    }
    await seed(Array.from({length: count - present}, (_, at) => ({id: idOf(present + at), ...draftOf(present + at)})))
    present = count
    return process.send('grown')
  })
  process.on('disconnect', () => process.exit())
  process.send(place)
}
