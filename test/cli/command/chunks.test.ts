import {execFileSync} from 'node:child_process'
import {cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {root} from '../run.js'

/** What each file beside the bundle is used for, as an expression of its exports. */
const uses: Readonly<Record<string, {readonly expression: string; readonly value: unknown}>> = {
  'graphql.cjs': {expression: "it.parse('{ a }').kind + typeof it.GraphQLError", value: 'Documentfunction'},
  'inquirer.cjs': {expression: 'typeof it.createPromptModule()', value: 'function'},
  'yaml.cjs': {expression: 'it.stringify({a: [1]})', value: 'a:\n  - 1\n'},
}

describe('cli · files beside the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-chunks-'))
  before(() => cpSync(join(root, 'dist/cli'), folder, {recursive: true}))
  after(() => rmSync(folder, {recursive: true, force: true}))

  it('are those that are used here', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== 'frontdesk.cjs')
    expect(files.sort()).to.deep.equal(Object.keys(uses).sort())
  })

  for (const [name, {expression, value}] of Object.entries(uses)) {
    it(`${name} works where nothing else is installed`, () => {
      const program = `const it = require(${JSON.stringify(join(folder, name))}); console.log(JSON.stringify(${expression}))`
      const printed = execFileSync(process.execPath, ['-e', program], {cwd: folder, encoding: 'utf8'})
      expect(JSON.parse(printed)).to.equal(value)
    })
  }

  it('and the bundle asks for no file that is not there', () => {
    // The builds of some libraries for every loader ask for files of their own by relative names.
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.cjs'))) {
      const asked = readFileSync(join(folder, name), 'latin1').matchAll(/\brequire\w*\(["'](\.[^"']+)["']\)/g)
      const absent = [...asked].map(([, path = '']) => path).filter((path) => !existsSync(join(folder, path)))
      expect(absent, name).to.deep.equal([])
    }
  })
})
