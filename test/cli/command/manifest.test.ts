import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {manifestText} from '../../../bin/source-config.mjs'
import {globalFlags} from '../../../src/cli/input/flags.js'
import {config, root} from '../run.js'

/** oclif's manifest is the contract of the command line: a change of it shows in a diff. */
describe('cli · manifest', () => {
  it('is fresh (else run: npm run docs)', async () => {
    expect(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')).to.equal(await manifestText(root))
  })

  it('gives every command a summary, a description and an example that names it', async () => {
    for (const {id, summary, description, examples} of (await config()).commands) {
      const words = id.replaceAll(':', ' ')
      expect(summary, id).to.match(/^[A-Z].{5,90}[^.]$/)
      expect(description, id).to.be.a('string').with.length.greaterThan(10)
      expect(String((examples as string[] | undefined)?.[0]), id).to.include(words)
    }
  })

  it('has no flag or argument that takes a secret', async () => {
    for (const {id, flags, args} of (await config()).commands) {
      for (const name of [...Object.keys(flags), ...Object.keys(args)]) {
        const takesSecret = /^(password|new-password|current-password|secret|client-secret|token|api-key)$/.test(name)
        expect(takesSecret, `${id} ${name}`).to.equal(false)
      }
    }
  })

  it('keeps short flags for their one meaning, repeated flags to one value, and stdin to who asks for it', async () => {
    const chars = new Map(
      Object.entries(globalFlags).flatMap(([name, flag]) => ('char' in flag && flag.char ? [[flag.char, name]] : [])),
    )
    for (const [char, name] of [
      ['w', 'where'],
      ['s', 'sort'],
      ['n', 'limit'],
      ['f', 'file'],
    ] as const)
      chars.set(char, name)
    for (const command of (await config()).commands) {
      const {id} = command
      const {flags, baseFlags, args} = await command.load()
      for (const [name, flag] of Object.entries({...baseFlags, ...flags})) {
        if (flag.char) expect(chars.get(flag.char), `${id} -${flag.char}`).to.equal(name)
        if (flag.type === 'option' && flag.multiple)
          expect(flag, `${id} --${name}`).to.have.property('multipleNonGreedy', true)
      }
      for (const [name, arg] of Object.entries(args)) expect(arg, `${id} ${name}`).to.have.property('ignoreStdin', true)
    }
  })
})
