import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · deprecation notices', () => {
  const desk = new Desk()
  const server = createServer((_, response) => {
    const notice = `old \u00a0\u0085thing is deprecated${'!'.repeat(600)}`
    response.writeHead(200, {'content-type': 'application/json', 'x-deprecation-notice': notice})
    response.end('{"id":"a","version":1,"email":"a@example.com"}')
  })
  server.on('clientError', (_, socket) => socket.destroy())
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  after(() => {
    server.close()
    desk.remove()
  })

  it('says on stderr what an answer says of its request, and leaves stdout alone', async () => {
    await desk.run(['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--password-stdin'], {
      stdin: 'x-y-z-1',
    })
    const body = '{"version":1,"actions":[{"action":"changeName","firstName":"A","lastName":"B"}]}'
    const change = (...argv: string[]) =>
      desk.run(['api', 'POST', 'customers/key=ada', '--body', body, '--json', ...argv])
    const {code, stdout, stderr} = await change()
    expect(code, stderr).to.equal(0)
    expect(stderr).to.match(/^Deprecated: update action changeName is deprecated since 2016-01-15; use setFirstName/m)
    expect(stdout).to.not.include('eprecated')
    expect((await change('--quiet')).stderr).to.not.include('Deprecated')
  })

  it('says it once in a run, made safe and cut, however many answers of a remote carry it', async () => {
    const env = {
      FRONTDESK_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_TOKEN: 'a-token',
    }
    const {code, stderr} = await desk.run(['customers', 'get', 'a', 'b', 'c', '--json'], {env})
    expect(code, stderr).to.equal(0)
    const lines = stderr.split('\n').filter((line) => line.startsWith('Deprecated: '))
    expect(lines).to.have.length(1)
    expect(lines[0]?.length).to.be.lessThan(600)
    expect(stderr).to.not.include('\u0085')
  })
})
