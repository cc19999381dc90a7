import type {RunningServer} from '../../src/index.js'
import {perSecond} from './workload.js'

/** Talks to a running server for a benchmark: a token, and keep-alive requests over a few connections. */
export async function talk(server: RunningServer, connections = 32) {
  const {Agent} = await import('undici')
  const agent = new Agent({connections, pipelining: 1})
  const {clientId, clientSecret} = server.client
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const granted = await agent.request({
    origin: server.authUrl,
    path: '/oauth/token',
    method: 'POST',
    headers: {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'},
    body: 'grant_type=client_credentials',
  })
  const {access_token: token} = (await granted.body.json()) as {access_token: string}
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
  const send = async (method: 'GET' | 'POST', path: string, body?: object): Promise<string> => {
    const answer = await agent.request({
      origin: server.apiUrl,
      path,
      method,
      headers,
      ...(body ? {body: JSON.stringify(body)} : {}),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${text}`)
    return text
  }
  /** Runs `count` requests, as many at once as there are connections. Milliseconds. */
  const load = async (count: number, one: (at: number) => Promise<unknown>): Promise<number> =>
    (count / (await perSecond(count, connections, one))) * 1000
  return {send, load, close: () => agent.close()}
}

/** A customer of about the size of a real one, without a password. */
export const benchDraft = (at: number): object => ({
  email: `bench-${at}@example.com`,
  key: `bench-${at}`,
  customerNumber: `B-${at}`,
  authenticationMode: 'ExternalAuth',
  firstName: `First ${at}`,
  lastName: `Last ${at % 977}`,
  companyName: `Company ${at % 101}`,
  addresses: [
    {
      key: 'home',
      country: 'DE',
      city: 'Berlin',
      streetName: 'Hauptstraße',
      streetNumber: String(at % 200),
      postalCode: '10115',
    },
    {
      key: 'work',
      country: 'AT',
      city: 'Wien',
      streetName: 'Ring',
      streetNumber: String(at % 90),
      phone: '+43 1 5550100',
    },
  ],
  defaultShippingAddress: 0,
  billingAddresses: [1],
})

export async function seedMany(server: RunningServer, count: number): Promise<void> {
  const {send, load, close} = await talk(server)
  await load(count, (at) => send('POST', `/${server.projectKey}/customers`, benchDraft(at)))
  await close()
}
