import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · server store-schema', () => {
  const desk = new Desk()

  after(() => desk.remove())

  it('prints statements that end with a semicolon, for each engine its own, and what is to be set', async () => {
    const texts = new Set<string>()
    for (const flags of ['postgres', 'partitioned', 'citus --by project', 'citus --by id']) {
      const {stdout, code} = await desk.run(['server', 'store-schema', '--engine', ...flags.split(' ')])
      expect(code).to.equal(0)
      expect(stdout).to.match(/^CREATE SCHEMA IF NOT EXISTS frontdesk;\n(.*;\n)+(--.*\n)*$/)
      expect(stdout).to.include('document_facet_email ')
      expect(stdout.includes("citus.propagate_set_commands = 'local'")).to.equal(flags.startsWith('citus'))
      texts.add(stdout)
    }
    expect(texts.size).to.equal(4)
  })

  it('refuses an engine that it does not know, and a way to spread for others', async () => {
    for (const flags of [
      ['--engine', 'oracle'],
      ['--engine', 'cockroach'],
      ['--by', 'id'],
    ])
      expect((await desk.run(['server', 'store-schema', ...flags])).code).to.equal(2)
  })
})
