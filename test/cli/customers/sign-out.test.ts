import {expect} from 'chai'
import {endSessions} from '../../../src/cli/customers/sessions.js'
import {clientTo, json, startForeignServer} from '../../client/foreign-server.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers sign-out', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('ends every session, and the card says so', async () => {
    const {id} = await make('leaver', '--set', 'addresses.0.country=DE', '--set', 'addresses.0.phone=+49 30 5550')
    const card = await desk.run(['customers', 'card', 'leaver'])
    expect(card.stdout).to.include('0 open sessions').and.include('not locked out').and.include('+49 30 5550')
    expect(card.stdout).to.match(/customer since \d+ \w{3} \d{4} · last change/)
    const {code, stdout} = await desk.run(['customers', 'sign-out', 'leaver', '--ticket', 'T-1'])
    expect({code, stdout}).to.deep.equal({code: 0, stdout: 'signed out leaver@example.com: no session was open\n'})
    expect((await desk.run(['customers', 'sign-out', id, '--json'])).json).to.deep.equal({id, ended: 0})
    expect((await desk.run(['customers', 'sign-out', id, '--dry-run'])).stdout).to.include('would end')
    const {results} = (await desk.run(['audit', 'list', '--target', id, '--json'])).json as {
      results: {actions?: string[]}[]
    }
    expect(results.filter(({actions}) => actions?.includes('endSessions'))).to.have.length(2)
    expect((await desk.run(['customers', 'sign-out', 'nobody-here'])).code).to.equal(3)
  })

  it('says what to do where the server cannot', async () => {
    const foreign = await startForeignServer()
    foreign.answer = (response) => {
      response
        .writeHead(404, json)
        .end('{"statusCode":404,"message":"no such path","errors":[{"code":"ResourceNotFound"}]}')
    }
    const failure = await endSessions(await clientTo(foreign.url), 'id', 'RESET').catch((error: unknown) => error)
    expect(failure).to.include({code: 'NotServed'})
    expect(String((failure as {hints: readonly string[]}).hints)).to.include('RESET')
    await foreign.close()
  })
})
