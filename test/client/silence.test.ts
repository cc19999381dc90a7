import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {tellingOfSilence} from '../../src/client/http.js'
import {httpTransport} from '../../src/client/transports/http.js'

const request = {method: 'GET', path: '/', headers: {}, correlationId: 'silence-test'} as const

describe('client · a local server that does not answer', () => {
  it('says once whom it waits for, and still gets the answer', async () => {
    let answer = (): void => {}
    const server = createServer((_, response) => {
      answer = () => response.end('{}')
      if (told.length > 0) answer()
    })
    const told: string[] = []
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const options = {
      silenceMs: 20,
      onWait: (holder: string) => {
        told.push(holder)
        answer()
      },
    }
    const transport = tellingOfSilence(await httpTransport(origin, origin, options), {pid: 7, origin}, options)
    try {
      // The server answers only when the notice has come.
      expect((await transport.send(request)).status).to.equal(200)
      expect(told).to.deep.equal([`the server with process id 7 at ${origin}`])
      expect((await transport.send(request)).status).to.equal(200)
      expect(told).to.have.length(1)
    } finally {
      await transport.close()
      server.close()
    }
  })
})
