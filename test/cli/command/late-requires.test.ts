import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {lateRequires, stdoutListener} from '../../../bin/late-requires.mjs'
import {root} from '../run.js'

/** Runs CommonJS text over modules that say when they are loaded. */
function run(source: string): {readonly loaded: string[]; readonly exported: Record<string, unknown>} {
  const loaded: string[] = []
  const require = (name: string): object => {
    loaded.push(name)
    return {name, Thing: class {}, default: () => name, hello: () => `hello from ${name}`}
  }
  const exported = {}
  new Function('require', 'exports', '__importDefault', source)(require, exported, (module: object) => module)
  return {loaded, exported}
}

const source = `
"use strict";
const used_1 = require("used");
const later_1 = require("later");
const plain_1 = __importDefault(require("plain"));
const whole_1 = require("whole");
var again_2 = require("again");
Object.defineProperty(exports, "again", {enumerable: true, get: function () { return again_2.hello; }});
exports.base = class extends used_1.Thing {};
exports.later = () => (0, later_1.hello)();
exports.made = () => new later_1.Thing();
exports.plain = () => plain_1.default();
exports.whole = whole_1;
`

describe('build · late requires', () => {
  it('loads a module when it is first used, and once', () => {
    const {loaded, exported} = run(lateRequires(source))
    expect(loaded).to.deep.equal(['whole', 'used'])
    const {later, made, plain} = exported as Record<string, () => unknown>
    expect(later?.()).to.equal('hello from later')
    expect(made?.()).to.be.an('object')
    expect(plain?.()).to.equal('plain')
    expect(exported['again']).to.be.a('function')
    expect(later?.()).to.equal('hello from later')
    expect(loaded).to.deep.equal(['whole', 'used', 'later', 'plain', 'again'])
  })

  it('is what the same text does at once', () => {
    const {loaded, exported} = run(source)
    expect(loaded).to.deep.equal(['used', 'later', 'plain', 'whole', 'again'])
    expect(Object.keys(exported).sort()).to.deep.equal(Object.keys(run(lateRequires(source)).exported).sort())
  })

  describe('in the code of oclif', () => {
    const hint = 'oclif is compiled in another way: adapt bin/late-requires.mjs, or drop it from bin/bundle.mjs'
    const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
    const folder = join(root, 'node_modules/@oclif/core/lib')
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
    const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.js'))
    const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

    it('is pinned to the release that is installed', () => {
      const {devDependencies} = json('package.json') as {devDependencies: Record<string, string>}
      expect(devDependencies['@oclif/core']).to.equal(json('node_modules/@oclif/core/package.json')['version'])
    })

    it('finds nearly every module that is loaded at the top of a file', () => {
      const all = files.map(read)
      const found = all.reduce((sum, text) => sum + count(text, /^(?:const|var) .*\brequire\(["']/gm), 0)
      const late = all.reduce((sum, text) => sum + count(lateRequires(text), /^let \w+\$; const /gm), 0)
      expect(found, hint).to.be.greaterThan(200)
      expect(found - late, `${found - late} of ${found} are not late; ${hint}`).to.be.lessThan(10)
    })

    it('has the listener that would open stdout in every command', () => {
      expect(read('command.js'), hint).to.match(stdoutListener)
    })

    it('leaves none at the top of the files that each start reads', () => {
      for (const name of ['config/config.js', 'config/plugin.js', 'main.js', 'parser/parse.js', 'help/index.js']) {
        const late = lateRequires(read(name))
        expect(count(late, /^(?:const|var) .*\brequire\(/gm), `${name}: ${hint}`).to.equal(0)
        expect(count(late, /^let \w+\$; const /gm), `${name}: ${hint}`).to.be.greaterThan(0)
      }
    })
  })
})
