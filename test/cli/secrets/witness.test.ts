import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'
import {Witness} from '../witness.js'

describe('cli · the witness of all tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-witness-'))
  after(() => rmSync(folder, {recursive: true, force: true}))
  const secret = 'correct horse battery'

  it('notes what is given on stdin, in a file, in a variable and unseen', () => {
    const path = join(folder, 'password')
    writeFileSync(path, `${secret}\n`)
    const heard: ((witness: Witness) => void)[] = [
      (witness) => witness.heard(['--new-password-stdin'], {stdin: `${secret}\nmore`}),
      (witness) => witness.heard(['--password-file', path], {}),
      (witness) => witness.heard([], {env: {FRONTDESK_CLIENT_SECRET: secret}}),
      (witness) => witness.typed(secret),
    ]
    for (const hear of heard) {
      const witness = new Witness()
      hear(witness)
      expect(() => witness.check(`was: ${secret}.`, 'the output')).to.throw('a secret stands in the output')
      witness.check('was: ***', 'the output')
    }
  })

  it('searches every file but those that are made for secrets', () => {
    const witness = new Witness()
    witness.typed(secret)
    const secrets = join(folder, 'config', 'secrets')
    mkdirSync(secrets, {recursive: true})
    writeFileSync(join(secrets, 'staging'), secret)
    witness.search(folder)
    writeFileSync(join(folder, 'audit.jsonl'), `{"reason":"${secret}"}`)
    expect(() => witness.search(folder)).to.throw('audit.jsonl')
  })

  it('looks on at each command line', async () => {
    const desk = new Desk()
    const argv = ['customers', 'create', '--email', 'a@example.com', '--first-name', secret, '--password-stdin']
    const run = desk.run([...argv, '--dry-run', '--json'], {stdin: secret})
    expect(await run.catch((error: Error) => error.message)).to.include(
      'a secret stands in the output of customers create',
    )
    desk.remove()
  })
})
