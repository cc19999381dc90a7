import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {RunningServer} from '../../../src/index.js'

/** A small shop with one page, on which a customer sets a password with the token of its link. */

const form = (token: string) =>
  `<!doctype html><title>shop</title><form method="post" action="/reset?t=${token}"><input name="password"><button>Set</button></form>`

export async function openShop(serverOf: () => RunningServer) {
  const shop = createServer((request, response) => {
    void (async () => {
      const token = new URL(request.url ?? '', 'http://shop').searchParams.get('t') ?? ''
      response.setHeader('content-type', 'text/html')
      if (request.method === 'GET') return response.end(form(encodeURIComponent(token)))
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const server = serverOf()
      const answer = await fetch(`${server.apiUrl}/${server.projectKey}/customers/password/reset`, {
        method: 'POST',
        headers: {authorization: `Bearer ${await server.tokenFor()}`, 'content-type': 'application/json'},
        body: JSON.stringify({tokenValue: token, newPassword: new URLSearchParams(text).get('password')}),
      })
      return response.end(answer.ok ? 'Your password is set.' : `refused: ${answer.status}`)
    })()
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  return {
    origin,
    resetLink: `${origin}/reset?t={token}`,
    close: () =>
      new Promise<void>((resolve) => {
        shop.close(() => resolve())
        shop.closeAllConnections()
      }),
  }
}
