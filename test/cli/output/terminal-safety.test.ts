import {readFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {forms} from '../../../src/cli/output/view.js'
import {Desk, type Ended, type RunOptions} from '../run.js'

/** Whatever a server, a file or an argument says, a terminal obeys none of it: in no form of output and on no stream. */

const payload = '\u001b]0;PWN\u0007\u001b]52;c;cm0=\u0007\u001b[2J\u009b31m\u202e\u200b\u{e0041}\r\nFAKE: ok\n\u0008'
const dangerous =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u
/** What our own output has: styles, and the progress bar that is taken away. */
const ours = /\u001b\[(?:[0-24]|2[0-24]|3[0-79]|9[0-7])?m|\r\u001b\[2K/g

function expectSafe({stdout, stderr}: Ended, what: string): void {
  for (const [stream, text] of Object.entries({stdout, stderr})) {
    const shown = text.replace(ours, '')
    expect(dangerous.exec(shown)?.[0], `${what}: ${stream}: ${JSON.stringify(shown.slice(0, 400))}`).to.equal(undefined)
    expect(/^FAKE/m.test(shown), `${what}: a forged line on ${stream}`).to.equal(false)
  }
}

const customer = {
  id: payload,
  version: 1,
  key: payload,
  email: payload,
  firstName: payload,
  lastName: payload,
  createdAt: payload,
  lastModifiedAt: payload,
  authenticationMode: payload,
  isEmailVerified: false,
  addresses: [{id: payload, city: payload, country: payload}],
  stores: [{typeId: 'store', key: payload}],
  customerGroupAssignments: [],
  custom: {type: {typeId: 'type', id: payload}, fields: {[payload]: payload}},
  createdBy: {clientId: payload},
  [payload]: payload,
}

/** Answers everything with texts that a terminal would obey. */
async function hostile(): Promise<{server: Server; url: string; refuse: boolean}> {
  const state = {refuse: false}
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      const headers = {
        'content-type': 'application/json',
        'x-correlation-id': 'c\u0080d',
        'x-deprecation-notice': '\u009b2J old',
      }
      response.writeHead(status, headers).end(JSON.stringify(body))
    }
    const token = {access_token: 'tok', expires_in: 1000, scope: `manage_project:shop ${payload}`, token_type: 'Bearer'}
    if (request.url?.startsWith('/oauth/token')) return answer(200, token)
    const error = {code: payload, message: payload, field: payload, invalidValue: payload, [payload]: payload}
    if (state.refuse) return answer(400, {statusCode: 400, message: payload, errors: [error]})
    const isOne = /\/customers\/|\/messages\/|\/quotes\//.test(request.url ?? '')
    const type = request.url?.includes('/messages')
      ? {type: payload, sequenceNumber: 1, resource: {typeId: payload, id: payload}}
      : {}
    const document = {...customer, ...type}
    answer(200, isOne ? document : {limit: 500, offset: 0, count: 1, total: 1, results: [document]})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {server, url})
}

describe('cli · what a terminal gets', () => {
  let desk: Desk
  let place: Awaited<ReturnType<typeof hostile>>
  let env: Record<string, string>
  before(async () => {
    desk = new Desk()
    place = await hostile()
    env = {
      FRONTDESK_API_URL: place.url,
      FRONTDESK_AUTH_URL: place.url,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: 'client',
      FRONTDESK_CLIENT_SECRET: 'sealed-secret',
    }
  })
  after(() => {
    place.server.closeAllConnections()
    place.server.close()
    desk.remove()
  })
  beforeEach(() => {
    place.refuse = false
  })

  const safely = async (argv: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const ended = await desk.run(argv, {terminal: true, ...options, env: {...env, ...options.env}})
    expectSafe(ended, argv.map((word) => JSON.stringify(word)).join(' '))
    return ended
  }

  for (const format of ['csv', 'json', 'jsonl']) {
    it(`obeys nothing in an export as ${format}`, async () => {
      const {code, stdout} = await safely(['customers', 'export', '--format', format])
      expect(code).to.equal(0)
      expect(stdout).to.include('PWN')
      if (format !== 'csv') {
        const [read] = JSON.parse(format === 'json' ? stdout : `[${stdout.trim()}]`)
        expect(read).to.include({firstName: payload, [payload]: payload})
      }
    })
  }

  it('gives a pipe and a file the bytes as they are', async () => {
    for (const format of ['csv', 'json', 'jsonl']) {
      const out = join(desk.folder, `all.${format}`)
      const {stdout} = await desk.run(['customers', 'export', '--format', format], {env})
      if (format === 'csv') expect(stdout).to.include('\u001b]0;PWN\u0007')
      expect((await safely(['customers', 'export', '--format', format, '--out', out])).code).to.equal(0)
      expect(readFileSync(out, 'utf8'), format).to.equal(stdout)
    }
  })

  it('obeys nothing in documents and pages of any form', async () => {
    for (const command of [
      ['customers', 'query'],
      ['customers', 'get', 'id=a'],
      ['customers', 'card', 'id=a'],
      ['messages', 'query'],
      ['api', 'GET', 'customers'],
    ]) {
      for (const form of [[], ...forms.map((name) => ['-o', name])]) {
        await safely([...command, ...form])
      }
    }
  })

  it('keeps JSON valid that holds tag characters, and reads back the same', async () => {
    const {stdout} = await safely(['customers', 'get', 'id=a', '-o', 'json'])
    expect(JSON.parse(stdout)).to.include({firstName: payload})
    expect(stdout).to.include('\\udb40\\udc41')
  })

  it('obeys nothing in refusals, notices, traces and debug texts, and forges no line', async () => {
    for (const command of [
      ['customers', 'query'],
      ['customers', 'get', 'id=a'],
      ['customers', 'export'],
      ['api', 'GET', 'customers'],
    ]) {
      for (const refuse of [false, true]) {
        place.refuse = refuse
        for (const more of [[], ['--json'], ['-v'], ['--trace-http']]) {
          await safely([...command, ...more], {env: {FRONTDESK_DEBUG: '1'}})
        }
      }
    }
  })

  it('obeys nothing in arguments, names of files, profiles, projects and stores', async () => {
    const text = payload.replaceAll('\u0000', '')
    for (const argv of [
      [text],
      ['customers', text],
      ['customers', 'query', `--${text}`],
      ['customers', 'query', '-o', text],
      ['customers', 'query', '--where', text],
      ['customers', 'query', '--fields', text],
      ['customers', 'get', `key=${text}`],
      ['customers', 'get', text],
      ['customers', 'import', text],
      ['customers', 'import', join(desk.folder, `${text}.csv`)],
      ['customers', 'create', '--from', text],
      ['customers', 'query', '--profile', text],
      ['customers', 'query', '--project-key', text],
      ['customers', 'query', '--store', text],
      ['customers', 'export', '--out', join(desk.folder, 'none', text)],
      ['server', 'snapshot', 'restore', text],
      ['server', 'seed', text],
      ['profiles', 'use', text],
      ['help', text],
      ['jobs', 'show', text],
      ['check', 'run', text],
      ['deprecations', 'check', text],
      ['api', 'GET', text],
      ['server', 'exec', '--', text],
    ]) {
      const {code} = await safely(argv, {env: {FRONTDESK_DEBUG: '1', FRONTDESK_NO_INPUT: '1'}})
      expect(code, JSON.stringify(argv)).to.not.equal(1)
    }
    for (const name of [
      'FRONTDESK_PROFILE',
      'FRONTDESK_PROJECT_KEY',
      'FRONTDESK_OUTPUT',
      'FRONTDESK_API_URL',
      'FRONTDESK_STORE',
    ]) {
      await safely(['customers', 'query'], {env: {[name]: text, FRONTDESK_DEBUG: '1', FRONTDESK_NO_INPUT: '1'}})
    }
  })
})
