import {benchDraft} from './seeding.js'
import type {Call} from './server-connection.js'
import type {Subject} from './server-load.js'

export interface Row {
  readonly name: string
  readonly call: () => Call
  /** What its ratio shall be at the most. */
  readonly aim?: number
  /** Each request hashes a password: a window lasts as long as ten of them. */
  readonly isSlow?: true
}

const password = 'a password of the bench'

/** A request of each kind, to a server that is filled with so many customers first. */
export async function rowsOf(subject: Subject, customers: number): Promise<Row[]> {
  const basic = `Basic ${Buffer.from(`${subject.client.clientId}:${subject.client.clientSecret}`).toString('base64')}`
  const form = {authorization: basic, 'content-type': 'application/x-www-form-urlencoded'}
  const tokenCall: Call = {method: 'POST', path: '/oauth/token', body: 'grant_type=client_credentials', headers: form}
  const {access_token: token} = JSON.parse(await subject.ask(tokenCall)) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`}
  const post = (path: string, body: object): Call => ({method: 'POST', path, body: JSON.stringify(body), headers})
  const get = (path: string): Call => ({method: 'GET', path, headers})
  function* drafts(): Generator<Call> {
    for (let at = 0; at < customers; at += 1) yield post('/bench/customers', benchDraft(at))
  }
  await subject.all(drafts())
  await subject.ask(
    post('/bench/customers', {email: 'signs-in@example.com', key: 'signs-in', password, firstName: 'Ada'}),
  )
  const {results} = JSON.parse(await subject.ask(get('/bench/customers?limit=500'))) as {results: {id: string}[]}
  let turn = 0
  const next = (): number => {
    turn += 1
    return (turn * 7919) % customers
  }
  // Each connection would otherwise meet the version of another one.
  const versions = new Map<number, number>()
  const update = (): Call => {
    const at = turn % customers
    turn += 1
    const version = versions.get(at) ?? 1
    versions.set(at, version + 1)
    const actions = [{action: 'setFirstName', firstName: `Name ${turn}`}]
    return post(`/bench/customers/key=bench-${at}`, {version, actions})
  }
  let born = 0
  const run = Date.now().toString(36)
  const create = (more: object): Call => {
    born += 1
    const name = `new-${run}-${born}`
    return post('/bench/customers', {
      ...benchDraft(born),
      email: `${name}@example.com`,
      key: name,
      customerNumber: name,
      ...more,
    })
  }
  const where = (): string => encodeURIComponent(`email="bench-${next()}@example.com"`)
  return [
    {name: 'GET by id', call: () => get(`/bench/customers/${results[next() % results.length]?.id}`), aim: 2.2},
    {name: 'GET by key', call: () => get(`/bench/customers/key=bench-${next()}`), aim: 2.2},
    {name: 'GET where email=', call: () => get(`/bench/customers?where=${where()}`), aim: 3.5},
    {name: 'GET page of 20', call: () => get('/bench/customers?limit=20'), aim: 4},
    {name: 'GET page of 500', call: () => get('/bench/customers?limit=500')},
    {name: 'update, one action', call: update, aim: 10},
    {name: 'create without password', call: () => create({}), aim: 14},
    {name: 'create with password', call: () => create({authenticationMode: 'Password', password}), isSlow: true},
    {name: 'token by client credentials', call: () => tokenCall, aim: 6},
    {
      name: 'introspection',
      call: () => ({method: 'POST', path: '/oauth/introspect', body: `token=${token}`, headers: form}),
    },
    {name: 'sign-in', call: () => post('/bench/login', {email: 'signs-in@example.com', password}), isSlow: true},
  ]
}
