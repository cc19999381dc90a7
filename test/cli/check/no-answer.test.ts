import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type ForeignServer, json, startForeignServer} from '../../client/foreign-server.js'
import {Desk} from '../run.js'

/** Answers with 200 that are none of the API: to a check they are neither true nor false. */
const answers: Readonly<Record<string, readonly [headers: Record<string, string>, body: string]>> = {
  'a web page': [{'content-type': 'text/html'}, '<html><body>Please sign in</body></html>'],
  nothing: [json, ''],
  'a list': [json, '[1]'],
  'a number': [json, '7'],
  'a document without results': [json, '{"id":"a"}'],
}

describe('cli · checks at a place that is not the API', () => {
  const desk = new Desk()
  let server: ForeignServer
  let env: Record<string, string>
  const suite = join(desk.folder, 'suite.json')
  before(async () => {
    server = await startForeignServer()
    env = {
      FRONTDESK_API_URL: server.url,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_TOKEN: 'hush',
      FRONTDESK_RETRIES: '0',
    }
    writeFileSync(suite, '{"checks":[{"name":"a","query":{"resource":"customers"},"assert":["results exists"]}]}')
  })
  after(async () => {
    await server.close()
    desk.remove()
  })

  for (const [what, [headers, body]] of Object.entries(answers)) {
    it(`end with 7 and an error, not with a failure: ${what}`, async () => {
      server.answer = (response) => response.writeHead(200, headers).end(body)
      const ran = await desk.run(['check', 'run', suite, '--json'], {env})
      expect(ran.json, ran.stdout).to.include({failed: 0, errors: 1})
      expect(ran.code).to.equal(7)
      const queried = await desk.run(['customers', 'query', '--expect-count', '0'], {env})
      expect(queried.code, queried.stderr).to.equal(7)
    })
  }

  for (const status of [200, 404])
    it(`the ${status} of a web page says of nobody whether they exist`, async () => {
      server.answer = (response) => response.writeHead(status, {'content-type': 'text/html'}).end('<html>hello</html>')
      for (const argv of [['key=ada'], ['-w', 'key = "ada"']]) {
        const {code, stdout, stderr} = await desk.run(['customers', 'exists', ...argv], {env})
        expect([code, stdout], stderr).to.deep.equal([7, ''])
      }
    })

  it('takes an empty page for the answer of a HEAD, as some servers send it', async () => {
    server.answer = (response) => response.writeHead(200, {'content-type': 'text/html', 'content-length': '0'}).end()
    expect((await desk.run(['customers', 'exists', 'key=ada'], {env})).code).to.equal(0)
  })
})
