import {mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {loadavg, tmpdir} from 'node:os'
import {join} from 'node:path'
import {circumstances, has, markdownTable, optionOf} from './report.js'
import {benchDraft} from './seeding.js'
import type {Call} from './server-connection.js'
import {Subject} from './server-load.js'

/**
 * How long a GET by key takes alone, while others write until the lines in effect are copied, and while others sign in: a state in
 * files, one connection for the GETs and eight for the rest. Words: `customers=N`, `seconds=N`, `short`.
 */

const others = 8
const password = 'a password of the bench'

interface Row {
  readonly name: string
  readonly aim: string
  readonly beside?: () => Call
}

async function rowsOf(subject: Subject, customers: number): Promise<{get: () => Call; rows: readonly Row[]}> {
  const {clientId, clientSecret} = subject.client
  const form = {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const granted = await subject.ask({
    method: 'POST',
    path: '/oauth/token',
    body: 'grant_type=client_credentials',
    headers: form,
  })
  const {access_token: token} = JSON.parse(granted) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`}
  const post = (path: string, body: object): Call => ({method: 'POST', path, body: JSON.stringify(body), headers})
  function* drafts(): Generator<Call> {
    for (let at = 0; at < customers; at += 1) yield post('/bench/customers', benchDraft(at))
  }
  await subject.all(drafts())
  await subject.ask(post('/bench/customers', {email: 'signs-in@example.com', password}))
  let turn = 0
  const next = (): number => {
    turn += 1
    return (turn * 7919) % customers
  }
  const versions = new Map<number, number>()
  let changed = 0
  const update = (): Call => {
    const at = changed % customers
    changed += 1
    const version = versions.get(at) ?? 1
    versions.set(at, version + 1)
    return post(`/bench/customers/key=bench-${at}`, {
      version,
      actions: [{action: 'setFirstName', firstName: `Name ${changed}`}],
    })
  }
  return {
    get: () => ({method: 'GET', path: `/bench/customers/key=bench-${next()}`, headers}),
    rows: [
      {name: 'alone', aim: ''},
      {name: `beside ${others} that update`, aim: '≤ 5', beside: update},
      {
        name: `beside ${others} that sign in`,
        aim: '≤ 5',
        beside: () => post('/bench/login', {email: 'signs-in@example.com', password}),
      },
    ],
  }
}

const quantile = (times: readonly number[], part: number): string =>
  ([...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN).toFixed(1)

/** The names of the project's files of documents: a copy has a new one. */
const filesIn = (folder: string): string =>
  readdirSync(join(folder, 'bench'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .join()

export async function bench(words: readonly string[]): Promise<void> {
  const customers = Number(optionOf(words, 'customers') ?? (has(words, 'short') ? 20_000 : 150_000))
  const seconds = Number(optionOf(words, 'seconds') ?? (has(words, 'short') ? 5 : 15))
  const note = circumstances(loadavg()[0])
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const subject = await Subject.started(1 + others, folder)
  try {
    const {get, rows} = await rowsOf(subject, customers)
    const cells: string[][] = []
    for (const {name, aim, beside} of rows) {
      const before = filesIn(folder)
      const {times, others: beside8} = await subject.times(seconds * 1000, get, beside)
      const copied = beside === undefined ? '' : filesIn(folder) === before ? 'no' : 'yes'
      cells.push([name, aim, ...[0.5, 0.99, 0.999, 1].map((part) => quantile(times, Math.min(part, 1 - 1e-9)))])
      cells.at(-1)?.push((times.length / seconds).toFixed(0), (beside8 / seconds).toFixed(0), copied)
      console.error(cells.at(-1)?.join('  '))
    }
    const head = ['GET by key', 'aim, p99', 'p50 ms', 'p99', 'p99.9', 'most', 'a second', 'others a second', 'copied']
    const title = `${customers.toLocaleString('en')} customers in files; load generator on the same cores`
    console.log(`\n${[note, title, markdownTable(head, cells)].join('\n\n')}`)
  } finally {
    await subject.stop()
    rmSync(folder, {recursive: true, force: true})
  }
}
