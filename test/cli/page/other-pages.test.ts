import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · pages of comparisons and checks', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const path = (name: string): string => join(desk.folder, name)
  const page = (name: string): string => readFileSync(path(name), 'utf8')

  it('show what an import would change', async () => {
    writeFileSync(path('a.csv'), 'key,email\ndf-1,d1@x.de\ndf-2,d2@x.de\n')
    const argv = ['customers', 'diff', path('a.csv'), '--password-mode', 'external-auth']
    expect((await desk.run([...argv, '--report', path('diff.html')])).code).to.equal(0)
    expect(page('diff.html')).to.include('What an import would change in').and.include('key=df-2').and.include('Ready')
    const refused = await desk.run([...argv, '--report', path('diff.txt')])
    expect([refused.code, refused.stdout]).to.deep.equal([2, ''])
  })

  it('show a suite of checks, what is false first', async () => {
    const check = (name: string, key: string) => ({name, exists: {resource: 'customers', ref: `key=${key}`}})
    const absent = {name: 'all are there', query: {resource: 'customers'}, expectCount: '0'}
    writeFileSync(
      path('suite.json'),
      JSON.stringify({name: 'Go <live>', checks: [absent, check('is <b>there', 'nobody')]}),
    )
    const {code} = await desk.run(['check', 'run', path('suite.json'), '--report', path('checks.html')])
    expect(code).to.equal(9)
    const text = page('checks.html')
    expect(text).to.include('Checks: Go &lt;live&gt;').and.include('1 to look at').and.not.include('<b>there')
    expect(text.indexOf('is &lt;b&gt;there')).to.be.lessThan(text.indexOf('all are there'))
  })

  it('show uses of what is deprecated, by feature', async () => {
    mkdirSync(path('src'))
    writeFileSync(path('src/a.json'), '{"action":"setCustomerGroup"}')
    const {code, stderr} = await desk.run([
      'deprecations',
      'check',
      path('src'),
      '--report',
      path('old.html'),
      '--fail-on',
      'none',
    ])
    expect(code, stderr).to.equal(0)
    expect(page('old.html')).to.include('Deprecated API features in use')
    const uses = await desk.run([
      'deprecations',
      'check',
      '--url',
      '/shop/carts?customerId=1',
      '--report',
      path('uses.html'),
    ])
    expect(page('uses.html'), uses.stdout).to.match(/Instead: |None found/)
  })
})
