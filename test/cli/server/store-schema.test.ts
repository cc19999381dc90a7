import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · server store-schema', () => {
  const desk = new Desk()

  after(() => desk.remove())

  it('prints statements that end with a semicolon, for each engine its own', async () => {
    const texts = new Set<string>()
    for (const engine of ['postgres', 'partitioned', 'citus', 'yugabyte', 'cockroach']) {
      const {stdout, code} = await desk.run(['server', 'store-schema', '--engine', engine])
      expect(code).to.equal(0)
      expect(stdout).to.match(/^CREATE SCHEMA IF NOT EXISTS frontdesk;\n(.*;\n)+$/)
      expect(stdout).to.include('document_facet_email ')
      texts.add(stdout)
    }
    expect(texts.size).to.equal(5)
  })

  it('refuses an engine that it does not know', async () => {
    expect((await desk.run(['server', 'store-schema', '--engine', 'oracle'])).code).to.equal(2)
  })
})
