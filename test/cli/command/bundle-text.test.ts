import {expect} from 'chai'
import {lateBuiltins} from '../../../bin/late-requires.mjs'
import {withModuleScopes} from '../../../bin/module-scopes.mjs'

/** What esbuild writes for three modules; `late` is imported as a whole, and `value` twice. */
const bundle = `var __getOwnPropNames=Object.getOwnPropertyNames,__esm=fn=>()=>{fn&&(0,fn[__getOwnPropNames(fn)[0]])(fn=0)},__commonJS=(cb,mod)=>()=>(mod||(0,cb[__getOwnPropNames(cb)[0]])((mod={exports:{}}).exports,mod),mod.exports),__export=(to,all)=>{for(const name in all)Object.defineProperty(to,name,{get:all[name],enumerable:true})};
function shared(){return inner()+value}function inner(){return"inner of a"}async function waits(){await 0;return local}
var import_node_fs,import_node_zlib,local,value,init_a=__esm({"src/a.ts"(){"use strict";import_node_fs=require("node:fs"),import_node_zlib=require("node:zlib"),value=1;local={here:__dirname,crc:text=>(0,import_node_zlib.crc32)(text),read:()=>(0,import_node_fs.readFileSync),gzip:()=>new import_node_zlib.Gzip(1)}}});
var late_exports={};__export(late_exports,{hello:()=>hello,Made:()=>Made});function hello(){return shared()}var Made,init_late=__esm({"src/late.ts"(){init_a();Made=class{name="made"}}});
var init_empty=__esm({"src/empty.ts"(){"use strict"}});
var require_b=__commonJS({"lib/b-2.js"(exports2,module2){module2.exports=()=>new Error("b").stack}});
init_a();init_empty();var import_node_path=require("node:path");
exports.base=()=>(0,import_node_path.basename)(local.here);exports.local=()=>waits();exports.late=()=>(init_late(),late_exports);exports.shared=()=>shared();exports.crc=text=>local.crc(text);exports.gzip=()=>local.gzip();exports.stack=()=>require_b()();0&&(module.exports={});`

class Gzip {
  readonly level: number
  constructor(level: number) {
    this.level = level
  }
}

/** Runs a bundle; tells which of Node's modules it loads. */
function run(text: string): {readonly loaded: string[]; readonly exported: Record<string, (word?: string) => unknown>} {
  const loaded: string[] = []
  const require = (name: string): unknown => {
    loaded.push(name)
    return {...process.getBuiltinModule(name), crc32: (word: string) => `crc of ${word}`, Gzip}
  }
  const exported = {}
  new Function('require', 'exports', 'module', '__dirname', text)(require, exported, {}, '/some/place')
  return {loaded, exported}
}

const form = (text: string) => withModuleScopes(lateBuiltins(text))

/** What stands outside all functions, where each start makes it. */
function outer(text: string): string {
  let depth = 0
  let result = ''
  for (const character of text) {
    depth += Number(character === '{') - Number(character === '}')
    if (depth === 0) result += character
  }
  return result
}

describe('build · the text of the bundle', () => {
  it('means the same', async () => {
    for (const text of [bundle, form(bundle)]) {
      const {exported} = run(text)
      const {base, local, late, shared, crc, gzip, stack} = exported
      expect(base?.()).to.equal('place')
      expect(await local?.()).to.have.property('here', '/some/place')
      expect(shared?.()).to.equal('inner of a1')
      expect(crc?.('word')).to.equal('crc of word')
      expect(stack?.()).to.match(/^Error: b\n/)
      expect(gzip?.()).to.deep.equal(new Gzip(1))
      const module = late?.() as {hello: () => string; Made: new () => {name: string}}
      expect(Object.keys(module)).to.deep.equal(['hello', 'Made'])
      expect(module.hello()).to.equal('inner of a1')
      expect(new module.Made().name).to.equal('made')
      expect(module.hello.name, 'for stack traces').to.equal('hello')
    }
  })

  it("loads Node's modules when they are first used, but for those that Node has loaded", () => {
    expect(run(bundle).loaded).to.deep.equal(['node:fs', 'node:zlib', 'node:path'])
    const {loaded, exported} = run(form(bundle))
    expect(loaded).to.deep.equal(['node:fs', 'node:path'])
    exported['crc']?.('word')
    exported['crc']?.('again')
    expect(loaded).to.deep.equal(['node:fs', 'node:path', 'node:zlib'])
  })

  it('keeps to a module what no other one uses', () => {
    expect(outer(bundle)).to.include('function shared').and.include('function inner').and.include('local,value')
    expect(outer(form(bundle)))
      .to.include('shared,waits,init_a')
      .and.not.match(/function (?:shared|inner|waits|hello)|\binner\b|\bvalue\b/)
  })

  it('names the functions of modules by their paths', () => {
    expect(form(bundle))
      .to.include('(function src$2fa$2ets(){"use strict"')
      .and.include('(function lib$2fb$2d2$2ejs(exports2,module2){')
      .and.not.include('({"')
  })

  it('stays as it is where it is written in another way', () => {
    const other = 'var one=1;function two(){return one}exports.two=two;'
    expect(withModuleScopes(other)).to.equal(other)
  })
})
