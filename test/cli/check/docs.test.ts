import {execFile} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {promisify} from 'node:util'
import {expect} from 'chai'
import {transformSync} from 'esbuild'
import {embedded, operations} from '../../../src/index.js'
import {root} from '../run.js'

/** What vitest offers to the example, in terms of mocha. */
const vitest = `
export const [beforeAll, afterAll, test] = [before, after, it]
export const beforeEach = globalThis.beforeEach
export const expect = (actual) => ({toBe: (expected) => {
  if (actual !== expected) throw new Error(actual + ' is not ' + expected)
}})`

describe('docs · testing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-docs-'))
  after(() => rmSync(folder, {recursive: true, force: true}))

  it('shows examples that pass', async () => {
    const text = readFileSync(join(root, 'docs/testing.md'), 'utf8')
    const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    expect(blocks).to.have.length(2)
    writeFileSync(join(folder, 'vitest.mjs'), vitest)
    const index = pathToFileURL(join(root, 'dist/lib/index.mjs')).href
    const files = blocks.map((block, at) => {
      const file = join(folder, `example-${at}.test.mjs`)
      const code = block.replace("'frontdesk'", `'${index}'`).replace("'vitest'", "'./vitest.mjs'")
      writeFileSync(file, transformSync(code, {loader: 'ts'}).code)
      return file
    })
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
    const argv = [mocha, '--no-config', '--reporter=dot', ...files]
    const {stdout} = await promisify(execFile)(process.execPath, argv, {cwd: root})
    expect(stdout).to.include('2 passing')
  })
})

describe('client · embedded for test suites', () => {
  it('seeds, moves with the given clock, and keeps a folder for the next', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-embedded-'))
    const now = Date.parse('2030-01-01T00:00:00Z')
    const options = {projectKey: 'demo', dataDir, seedDir: 'fixtures/demo', clock: () => now}
    const first = await embedded(options)
    const body = {email: 'new@example.com', password: 'an-invented-one', key: 'new-one'}
    const {customer} = await first.call(operations.createCustomer, {}, {body})
    expect(customer.createdAt).to.equal('2030-01-01T00:00:00.000Z')
    await first.close()
    const second = await embedded(options)
    const {total} = await second.call(operations.queryCustomers, {}, {query: {limit: 0}})
    expect(total).to.equal(16)
    await second.close()
    rmSync(dataDir, {recursive: true, force: true})
  })

  it('leaves no state open after a seed that cannot be read', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-embedded-'))
    const failed = await embedded({projectKey: 'shop', dataDir, seedDir: 'no/such/folder'}).catch(
      (error: Error) => error,
    )
    expect(failed).to.be.instanceOf(Error)
    await (await embedded({projectKey: 'shop', dataDir})).close()
    rmSync(dataDir, {recursive: true, force: true})
  })
})
