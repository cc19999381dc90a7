import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {Desk} from '../run.js'
import {errorOf, hazel} from './harness.js'

/** A target over HTTP that lets API clients answer quotes as the platform does: reads go on to a server of ours. */
function sellersTarget(apiUrl: string, answer: (body: unknown) => {status: number; body: unknown}): Server {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const {method = 'GET', url = '/', headers} = request
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const isAnswer = method === 'POST' && /^\/demo\/quotes\//.test(url)
    const {authorization = ''} = headers
    const found = isAnswer
      ? answer(JSON.parse(text))
      : await fetch(`${apiUrl}${url}`, {method, headers: {authorization}})
    const body = 'body' in found && isAnswer ? JSON.stringify(found.body) : await (found as Response).text()
    response.writeHead(found.status, {'content-type': 'application/json'}).end(body)
  }
  return createServer((request, response) => void handle(request, response))
}

describe('cli · quotes · on behalf of a customer', () => {
  let server: RunningServer
  let seller: Server
  let desk: Desk
  const sent: unknown[] = []
  let refusal: number | undefined
  before(async () => {
    desk = new Desk()
    server = await startServer({
      dataDir: ':memory:',
      projectKey: 'demo',
      seedDir: 'fixtures/demo',
      settings: {passwordCost: 4},
    })
    const {clientId, clientSecret} = server.client
    desk.env['FRONTDESK_AUTH_URL'] = server.authUrl
    desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
    desk.env['FRONTDESK_CLIENT_ID'] = clientId
    desk.env['FRONTDESK_CLIENT_SECRET'] = clientSecret
    desk.env['FRONTDESK_API_URL'] = server.apiUrl
    const {json} = await quotes('get', 'key=hazel-open')
    seller = sellersTarget(server.apiUrl, (body) => {
      sent.push(body)
      if (refusal !== undefined) return {status: refusal, body: {statusCode: refusal, message: 'no', errors: []}}
      return {status: 200, body: {...(json as object), version: 2, quoteState: 'Accepted'}}
    })
    await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => {
    desk.env['FRONTDESK_API_URL'] = `http://127.0.0.1:${(seller.address() as AddressInfo).port}`
    sent.length = 0
    refusal = undefined
  })
  after(async () => {
    seller.close()
    await server.stop()
    desk.remove()
  })

  const quotes = (...argv: string[]) => desk.run(['quotes', ...argv, ...hazel, '--json'])

  it('reads what the customer has, and nothing of others', async () => {
    const {json, stdout} = await quotes('query')
    expect(json, stdout).to.include({count: 9})
    const pending = await quotes('query', '-w', 'quoteState = "Pending"')
    expect(pending.json).to.include({count: 4})
    expect((await quotes('get', 'key=hazel-open')).json).to.include({key: 'hazel-open'})
    expect((await quotes('exists', '-w', 'key = "petra-north"')).code).to.equal(3)
    const strange = await quotes('get', 'key=mira-berlin')
    expect([strange.code, errorOf(strange).code]).to.deep.equal([3, 'ResourceNotFound'])
  })

  it('answers in the words of whoever sells, with an audit line', async () => {
    const {code, json, stdout} = await quotes('accept', 'key=hazel-open', '--yes', '--ticket', 'CS-1')
    expect(code, stdout).to.equal(0)
    expect(json).to.include({quoteState: 'Accepted', version: 2})
    expect(sent).to.deep.equal([{version: 1, actions: [{action: 'changeQuoteState', quoteState: 'Accepted'}]}])
    expect((await quotes('renegotiate', 'key=hazel-open', '--comment', 'less')).code).to.equal(0)
    expect(sent[1]).to.deep.equal({
      version: 1,
      actions: [{action: 'requestQuoteRenegotiation', buyerComment: 'less'}],
    })
    const {stdout: audit} = await desk.run(['audit', 'list', '--ticket', 'CS-1', '--json'])
    expect(audit).to.include('"quotes accept"').and.include('"done"')
  })

  it('says what a target refuses: the scope, or that only the customer answers', async () => {
    for (const [status, code, word] of [
      [403, 'Forbidden', 'manage_quotes'],
      [404, 'QuotesNotAnswered', 'only the customer'],
    ] as const) {
      refusal = status
      const refused = await quotes('decline', 'key=hazel-open', '--yes')
      expect(refused.code, refused.stdout).to.equal(4)
      expect(errorOf(refused).message, code).to.include(word)
    }
    desk.env['FRONTDESK_API_URL'] = server.apiUrl
    const ours = await quotes('accept', 'key=hazel-open', '--yes')
    expect([ours.code, errorOf(ours).code]).to.deep.equal([4, 'QuotesNotAnswered'])
  })
})
