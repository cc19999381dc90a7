import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {forgetInKeyring, keepInKeyring, keyringSecret} from '../../../src/cli/input/keyring.js'
import {commandOutput} from '../../../src/cli/input/secret-sources.js'
import type {Failure} from '../../../src/cli/process/failure.js'
import {Desk} from '../run.js'

const refusedBy = (task: Promise<unknown>): Promise<Failure> =>
  task.then(
    () => Promise.reject(new Error('nothing was refused')),
    (error: unknown) => error as Failure,
  )

describe('cli · credential commands', () => {
  it('give their first line', async () => {
    expect(await commandOutput('printf "geheim\\nmore\\n"')).to.equal('geheim')
    expect(await commandOutput('printf "geheim\\r\\n"')).to.equal('geheim')
    expect(await commandOutput('true')).to.equal('')
  })

  it('fail with what they ended with, without what they printed', async () => {
    const {message, exitCode} = await refusedBy(commandOutput('echo geheim; exit 7'))
    expect([message, exitCode]).to.deep.equal(['The credential command failed: it ended with code 7.', 4])
  })

  it('are not waited for beyond their limit, whoever else holds the pipe', async () => {
    const {message, exitCode} = await refusedBy(commandOutput('sleep 20; echo geheim', 50))
    expect([message, exitCode]).to.deep.equal(['The credential command failed: it did not end within 0.05 seconds.', 4])
  })
})

/** Stands in for the package, with a file in the place of the system's keyring. */
const working = (file: string) => `
const {readFileSync, rmSync, writeFileSync} = require('node:fs')
exports.Entry = class {
  getPassword() { try { return readFileSync(${JSON.stringify(file)}, 'utf8') } catch { return null } }
  setPassword(secret) { writeFileSync(${JSON.stringify(file)}, secret) }
  deletePassword() { rmSync(${JSON.stringify(file)}, {force: true}); return true }
}`
const locked = `exports.Entry = class { getPassword() { throw new Error('the collection is locked') } }`

describe('cli · keyring', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const module = (name: string, text: string): string => {
    const path = join(desk.folder, `${name}.cjs`)
    writeFileSync(path, text)
    return path
  }

  it('keeps, gives and forgets a secret', async () => {
    const installed = module('working', working(join(desk.folder, 'kept')))
    expect(await keyringSecret('shop', installed)).to.equal(undefined)
    await keepInKeyring('shop', 'ge"heim', installed)
    expect(await keyringSecret('shop', installed)).to.equal('ge"heim')
    await forgetInKeyring('shop', installed)
    expect(await keyringSecret('shop', installed)).to.equal(undefined)
  })

  it('says why it refused', async () => {
    const {message} = await refusedBy(keyringSecret('shop', module('locked', locked)))
    expect(message).to.equal('The keyring refused: the collection is locked.')
  })

  it('is no place for a profile, and says what to install, where the package is missing', async () => {
    const add = ['profiles', 'add', 'staging', '--project-key', 'shop', '--api-url', 'https://api.example']
    const {code, stderr} = await desk.run([...add, '--client-id', 'x', '--secret-from', 'keyring'])
    expect(code).to.equal(13)
    expect(stderr).to.include('npm install --global @napi-rs/keyring').and.include('--in-file')
    expect((await desk.run(add)).code).to.equal(0)
    const login = ['login', 'staging', '--client-id', 'x', '--secret-stdin', '--no-check']
    const stored = await desk.run(login, {stdin: 'geheim'})
    expect(stored.stdout).to.include('secrets/staging')
    expect(stored.stderr).to.include('@napi-rs/keyring, which is not installed; the secret goes into a file.')
  })
})
