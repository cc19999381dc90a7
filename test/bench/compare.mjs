#!/usr/bin/env node
// Measures what docs/compatibility.md compares: the same requests to frontdesk and to commercetools-mock, each in a process of its own.
// `npm install @labdigital/commercetools-mock` in an empty folder, then `node test/bench/compare.mjs FOLDER` on Node 22.
import {spawn} from 'node:child_process'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'

const [folder = '', role] = process.argv.slice(2)
const projectKey = 'shop'
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts the server in this process and tells the parent where. */
const servers = {
  async frontdesk() {
    const {startServer} = createRequire(import.meta.url)(join(root, 'dist/lib/index.js'))
    const {apiUrl, client} = await startServer({projectKey})
    return {origin: apiUrl, ...client}
  },
  async mock() {
    const {CommercetoolsMock} = await import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve('@labdigital/commercetools-mock')))
    const options = {enableAuthentication: true, validateCredentials: true, defaultProjectKey: projectKey, silent: true, strict: true}
    const port = 40_000 + (process.pid % 20_000)
    await new CommercetoolsMock(options).runServer(port)
    return {origin: `http://127.0.0.1:${port}`, clientId: 'any', clientSecret: 'any'}
  },
}

const asJson = async (answer) => ({status: answer.status, body: await answer.json().catch(() => undefined)})

async function probes({origin, clientId, clientSecret}) {
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const tokenOf = async (form, path = 'token') =>
    asJson(await fetch(`${origin}/oauth/${path}`, {method: 'POST', headers: {authorization: basic}, body: new URLSearchParams(form)}))
  const ask = async (path, token, body) =>
    asJson(
      await fetch(`${origin}/${projectKey}/${path}`, {
        headers: {...(token && {authorization: `Bearer ${token}`}), ...(body && {'content-type': 'application/json'})},
        ...(body && {method: 'POST', body: JSON.stringify(body)}),
      }),
    )
  const told = ({status, body}) => `${status} ${body?.errors?.[0]?.code ?? ''}`.trim()
  const results = {}
  const admin = (await tokenOf({grant_type: 'client_credentials', scope: `manage_project:${projectKey}`})).body?.access_token
  const reader = (await tokenOf({grant_type: 'client_credentials', scope: `view_orders:${projectKey}`})).body?.access_token
  const draft = {email: 'ada@example.com', password: 'an-invented-one', key: 'ada'}
  results['a wrong client secret'] = told(
    await asJson(await fetch(`${origin}/oauth/token`, {method: 'POST', headers: {authorization: `Basic ${btoa('any:wrong')}`}, body: new URLSearchParams({grant_type: 'client_credentials'})})),
  )
  results['customers without a token'] = told(await ask('customers'))
  results['customers with a made-up token'] = told(await ask('customers', 'x'.repeat(43)))
  results['customers with a token for orders alone'] = told(await ask('customers', reader))
  const created = await ask('customers', admin, draft)
  const {id} = created.body.customer
  results['the same email in capitals'] = told(await ask('customers', admin, {...draft, email: 'ADA@example.com', key: 'bo'}))
  results['an update of a stale version'] = told(await ask(`customers/${id}`, admin, {version: 7, actions: [{action: 'setFirstName', firstName: 'A'}]}))
  results['an unknown update action'] = told(await ask(`customers/${id}`, admin, {version: 1, actions: [{action: 'setNothing'}]}))
  results['a wrong password at /login'] = told(await ask('login', admin, {email: draft.email, password: 'wrong'}))
  results['the right password at /login'] = told(await ask('login', admin, {email: draft.email, password: draft.password}))
  const session = await tokenOf({grant_type: 'password', username: draft.email, password: draft.password}, `${projectKey}/customers/token`)
  results['a customer token by password'] = told(session)
  results['/me with it'] = told(await ask('me', session.body?.access_token))
  const reset = await ask('customers/password-token', admin, {email: draft.email, ttlMinutes: 30})
  const used = {tokenValue: reset.body?.value, newPassword: 'another-one'}
  results['a password reset'] = told(await ask('customers/password/reset', admin, used))
  results['the reset token a second time'] = told(await ask('customers/password/reset', admin, used))
  results['/me with the token of before the reset'] = told(await ask('me', session.body?.access_token))
  results['messages'] = told(await ask('messages', admin))
  results['orders'] = told(await ask('orders', admin))
  results['product projections'] = told(await ask('product-projections', admin))
  const times = []
  for (let at = 0; at < 300; at += 1) {
    const begun = performance.now()
    await ask(`customers/${id}`, admin)
    times.push(performance.now() - begun)
  }
  results['GET by id, median ms'] = times.sort((a, b) => a - b)[150].toFixed(2)
  return results
}

async function measured(name) {
  const begun = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder, name], {stdio: ['ignore', 'ignore', 'inherit', 'ipc']})
  const place = await new Promise((resolve) => child.once('message', resolve))
  const startMs = performance.now() - begun
  const results = await probes(place)
  const rss = await new Promise((resolve) => child.once('message', resolve).send('memory'))
  child.kill()
  return {'process to first request, ms': startMs.toFixed(0), ...results, 'memory after these, MB': (rss / 1e6).toFixed(0)}
}

if (role !== undefined) {
  process.send(await servers[role]())
  process.on('message', () => process.send(process.memoryUsage().rss))
} else {
  const [ours, theirs] = [await measured('frontdesk'), await measured('mock')]
  console.log(`| Asked | frontdesk | commercetools-mock |\n| --- | --- | --- |`)
  for (const [what, answer] of Object.entries(ours)) console.log(`| ${what} | ${answer} | ${theirs[what]} |`)
}
