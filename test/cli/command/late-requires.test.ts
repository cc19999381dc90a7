import {expect} from 'chai'
import {lateRequires} from '../../../bin/late-requires.mjs'

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
})
