import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {ofCustomers} from '../../../src/api/operation/collection-table.js'
import {kindsOfCustomers} from '../../../src/cli/customers/related.js'
import {Desk, root} from '../run.js'

describe('cli · customers dossier', () => {
  const desk = new Desk()
  const target = ['--project-key', 'demo']
  before(() => desk.run(['server', 'seed', join(root, 'fixtures/demo'), ...target]))
  after(() => desk.remove())

  it('holds the customer, messages, quotes, carts, sessions and audit lines, in a file for its owner', async () => {
    await desk.run([
      'customers',
      'update',
      'key=hazel-brandvold',
      '--set',
      'title=Prof.',
      '--ticket',
      'CS-1',
      ...target,
    ])
    const token = ['customers', 'password-token', 'create', 'key=hazel-brandvold', '--ttl', '30m', '--show-secret']
    expect((await desk.run([...token, ...target])).code).to.equal(0)
    const out = join(desk.folder, 'hazel.json')
    const ran = await desk.run(['customers', 'dossier', 'key=hazel-brandvold', '--out', out, ...target])
    expect(ran.code, ran.stderr).to.equal(0)
    expect(statSync(out).mode & 0o077).to.equal(0)
    const held = JSON.parse(readFileSync(out, 'utf8')) as Record<string, {length: number}>
    expect(held['customer']).to.include({key: 'hazel-brandvold', title: 'Prof.'})
    for (const part of ['messages', 'quotes', 'quoteRequests', 'stagedQuotes', 'carts', 'audit']) {
      expect(held[part]?.length, part).to.be.greaterThan(0)
    }
    expect(JSON.stringify(held['messages'])).to.include('CustomerPasswordTokenCreated').and.not.include('"value"')
    for (const kind of kindsOfCustomers.slice(0, ofCustomers.length))
      expect(held, kind.segment).to.have.property(kind.name)
    expect(held['sessions']).to.have.property('openTokens').with.length(1)
    expect(ran.stderr).to.match(/quotes \d+/)
  })

  it('is a page for a person where the file is one, and JSON where that is asked for', async () => {
    const [html, json] = ['hazel.html', 'json.html'].map((name) => join(desk.folder, name)) as [string, string]
    const words = ['customers', 'dossier', 'key=hazel-brandvold', ...target]
    const ran = await desk.run([...words, '--out', html])
    expect(ran.code, ran.stderr).to.equal(0)
    expect(statSync(html).mode & 0o077).to.equal(0)
    const page = readFileSync(html, 'utf8')
    expect(page).to.include('<dt>Reads the newsletter</dt><dd>yes</dd>').and.include('Staged quotes')
    expect(page).to.include('password token created').and.include('The service has none of these: orders')
    await desk.run([...words, '--json', '--out', json])
    expect(JSON.parse(readFileSync(json, 'utf8'))).to.have.property('customer')
    const redacted = await desk.run([...words, '--redact', '--out', join(desk.folder, 'masked.html')])
    expect(redacted.code).to.equal(0)
    expect(readFileSync(join(desk.folder, 'masked.html'), 'utf8')).to.not.include('hazel.brandvold')
  })

  it('holds nobody else, and replaces no file unasked', async () => {
    const {json} = await desk.run(['customers', 'dossier', 'key=owen-pell', '--json', ...target])
    expect(JSON.stringify(json)).to.not.include('hazel-brandvold')
    const out = join(desk.folder, 'hazel.json')
    expect((await desk.run(['customers', 'dossier', 'key=owen-pell', '--out', out, ...target])).code).to.equal(2)
    expect((await desk.run(['customers', 'dossier', 'key=nobody', ...target])).code).to.equal(3)
  })
})
