import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {createServer as createTlsServer} from 'node:https'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {Place, type Rows} from './place.js'

const get = ['customers', 'get', 'key=ada']
const create = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--external-auth']
const error = (statusCode: number, code: string, message: string) =>
  JSON.stringify({statusCode, message, errors: [{code, message}]})

/** Answers that no server should give, and those that every server gives one day. */
export const serverRows: Rows = {
  13: [
    'a certificate that nobody vouches for',
    async (place) => {
      const {folder} = place.desk
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
      execFileSync('openssl', [...made, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert], {
        stdio: 'ignore',
      })
      const server = createTlsServer({key: readFileSync(key), cert: readFileSync(cert)}, (_, response) => {
        response.writeHead(404).end(error(404, 'ResourceNotFound', 'nobody'))
      })
      await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
      const env = {...place.nobody, FRONTDESK_API_URL: `https://localhost:${(server.address() as AddressInfo).port}`}
      expect(await place.ends(7, get, {env}))
        .to.match(/SELF_SIGNED/)
        .and.include('--ca-file')
      await place.ends(3, [...get, '--ca-file', cert], {env})
      server.closeAllConnections()
      server.close()
    },
  ],
  14: [
    'a redirect to another host',
    async (place) => {
      const other = await Place.open()
      place.answer = (response) => response.writeHead(302, {location: `${other.fakeUrl}/shop/customers`}).end()
      await place.ends(7, get, {env: place.toFake})
      expect(other.asked).to.deep.equal([])
      await other.close()
    },
  ],
  18: [
    'no credential',
    async (place) => {
      const env = {FRONTDESK_API_URL: place.fakeUrl, FRONTDESK_PROJECT_KEY: 'shop'}
      expect(await place.ends(4, get, {env})).to.include('frontdesk login')
      expect(place.asked).to.deep.equal([])
    },
  ],
  19: [
    'a token that the server does not take',
    async (place) => {
      const env = {...place.nobody, FRONTDESK_API_URL: place.real.apiUrl}
      const shown = await place.ends(4, get, {env})
      expect(shown).to.include('The token in FRONTDESK_TOKEN').and.not.include('token-of-nobody')
    },
  ],
  20: [
    'a scope that is missing',
    async (place) => {
      const issue = ['token', 'issue', '--scope', 'view_customers', '--print', 'raw', '--show-secret']
      const {stdout} = await place.once(0, issue, {env: place.toReal})
      const env = {...place.nobody, FRONTDESK_API_URL: place.real.apiUrl, FRONTDESK_TOKEN: stdout.trim()}
      expect(await place.ends(4, create, {env})).to.include('manage_customers')
    },
  ],
  21: [
    'nobody there, and a version that is not the current one',
    async (place) => {
      const env = place.toReal
      await place.ends(3, get, {env})
      await place.once(0, create, {env})
      const update = ['customers', 'update', 'key=ada', '--set', 'firstName=Ada', '--version', '7']
      const shown = await place.ends(5, update, {env})
      expect(shown).to.match(/\b7\b/).and.match(/\b1\b/)
    },
  ],
  22: [
    'a server that asks for patience',
    async (place) => {
      place.answer = (response) =>
        response.writeHead(429, {'retry-after': '0'}).end(error(429, 'TooManyRequests', 'slow down'))
      await place.once(7, [...get, '--retries', '3'], {env: place.toFake})
      expect(place.asked).to.have.length(4)
    },
  ],
  23: [
    'a server that is down, unknown or silent',
    async (place) => {
      const at = (url: string) => ({env: {...place.nobody, FRONTDESK_API_URL: url}})
      expect(await place.ends(7, get, at('http://127.0.0.1:1'))).to.include('ECONNREFUSED')
      expect(await place.ends(7, get, at('https://nobody.invalid'))).to.match(/ENOTFOUND|EAI_AGAIN/)
      place.answer = () => undefined
      expect(await place.ends(7, [...get, '--timeout', '100ms'], at(place.fakeUrl))).to.match(/time/i)
      await place.ends(8, [...create, '--timeout', '100ms'], at(place.fakeUrl))
    },
  ],
  24: [
    'an answer that is not JSON, cut off, or without end',
    async (place) => {
      const env = place.toFake
      const piece = Buffer.alloc(1024 * 1024, 32)
      for (const body of ['<html>', '{"id":', '', 'null', '42']) {
        place.answer = (response) => response.writeHead(200, {'content-type': 'application/json'}).end(body)
        await place.ends(7, get, {env})
      }
      place.answer = (response) => {
        response.writeHead(200, {'content-length': '900'})
        response.write('{"id":"x"')
        response.destroy()
      }
      await place.ends(7, get, {env})
      let sent = 0
      place.answer = (response) => {
        const more = (): void => {
          while (!response.destroyed && sent < 200 && response.write(piece)) sent += 1
          if (!response.destroyed && sent < 200) response.once('drain', more)
          sent += 1
        }
        more()
      }
      await place.once(7, get, {env})
      expect(sent, 'megabytes sent').to.be.lessThan(120)
    },
  ],
  25: [
    'escape sequences in names and in errors',
    async (place) => {
      const nasty = '\u001b]0;owned\u0007\u202eevil'
      place.answer = (response) => response.writeHead(404).end(error(404, 'ResourceNotFound', nasty))
      expect(await place.ends(3, get, {env: place.toFake})).to.include('\\x1b]0;owned\\x07\\u202eevil')
      const named = ['customers', 'create', '--email', 'b@example.com', '--key', 'bob', '--external-auth']
      await place.once(0, [...named, '--first-name', nasty])
      for (const form of ['table', 'card', 'yaml', 'jsonl']) {
        const {stdout} = await place.once(0, ['customers', 'get', 'key=bob', '-o', form, '--no-color'], {
          terminal: true,
        })
        expect(stdout, form).to.not.match(/[\u001b\u0007\u202e]/)
      }
    },
  ],
}
