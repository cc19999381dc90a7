import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {administer, administerServer} from '../../src/client/local/admin.js'
import {ApiError, StateError} from '../../src/domain/errors.js'
import {startServer} from '../../src/server/start.js'

const seedDir = fileURLToPath(new URL('../../fixtures/demo', import.meta.url))
const customer = {by: 'key', value: 'zofia-lecka'} as const

const projectKey = 'demo'

/** What the administration answers to the same calls, ids and times aside. */
async function answers(dataDir: string) {
  const seeded = await administer(dataDir, 'addProject', {body: {projectKey, seedDir}})
  const again = await administer(dataDir, 'addProject', {body: {projectKey, seedDir}})
  const quote = await administer(dataDir, 'addQuote', {body: {projectKey, customer, cart: 'zofia-to-quote', key: 'q1'}})
  const token = await administer(dataDir, 'issueCustomerToken', {body: {projectKey, customer}})
  const refusals: string[] = []
  for (const [name, body] of [
    ['issueCustomerToken', {projectKey, customer: {by: 'key', value: 'nobody'}}],
    ['addQuote', {projectKey, customer, cart: 'zofia-to-quote', key: 'q1'}],
    ['addQuote', {projectKey, customer}],
    ['addProject', {projectKey: 'new', seedDir: join(dataDir, 'none')}],
    ['addProject', {projectKey: '../x'}],
  ] as const) {
    const error = await administer(dataDir, name, {body}).catch((reason: unknown) => reason)
    refusals.push(error instanceof ApiError ? `${error.statusCode} ${error.code}` : String(error))
  }
  const status = await administer(dataDir, 'serverStatus')
  // What else is stored depends on the cost of passwords, which a server may have set.
  const projects = status.projects.map(({key, customers}) => ({key, customers}))
  const compacted = await administer(dataDir, 'compactState')
  return {seeded, again, state: quote.quoteState, lives: token.expires_in, refusals, projects, compacted}
}

describe('client · local administration', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-administration-'))
  })
  afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

  it('answers the same in this process and through the server that holds the state', async () => {
    const here = await answers(join(dataDir, 'here'))
    const served = join(dataDir, 'there')
    const server = await startServer({dataDir: served, projectKey: 'other', settings: {passwordCost: 4}})
    const there = await answers(served).finally(() => server.stop())
    const {projects, ...others} = there
    expect({...others, projects: projects.filter(({key}) => key !== 'other')}).to.deep.equal(here)
    expect(here.refusals).to.deep.equal([
      '404 ResourceNotFound',
      '400 DuplicateField',
      '400 InvalidJsonInput',
      '400 InvalidSetup',
      '400 InvalidSetup',
    ])
    expect(here).to.deep.include({state: 'Pending', lives: 600, again: {seeded: false, counts: {}}})
    expect(here.seeded.counts).to.include.keys('customer')
  })

  it('leaves the state free after a refusal in this process', async () => {
    const refused = administer(dataDir, 'addProject', {body: {projectKey: '../x'}})
    expect(await refused.catch((error: ApiError) => error.code)).to.equal('InvalidSetup')
    expect((await administer(dataDir, 'addProject', {body: {projectKey: 'shop'}})).seeded).to.equal(false)
  })

  it('moves the clock of a running server only', async () => {
    const absent = await administerServer(dataDir, 'showClock').catch((error: unknown) => error)
    expect(absent).to.be.instanceOf(StateError).with.property('code', 'StateUnusable')
    const server = await startServer({dataDir, projectKey: 'shop'})
    try {
      const at = '2026-12-24T18:00:00.000Z'
      const body = {do: 'freeze', at}
      expect(await administerServer(dataDir, 'changeClock', {body})).to.deep.equal({now: at, mode: 'frozen'})
      expect((await administerServer(dataDir, 'showFaults')).rules).to.deep.equal([])
    } finally {
      await server.stop()
    }
  })
})
