// One CommonJS file of a program that esbuild split: each part is a function, which V8 neither compiles nor keeps before it
// runs. In one scope, as esbuild writes a file without parts, each start would fill it with thousands of unused functions.
import {basename} from 'node:path'
import {build, transform} from 'esbuild'
import ts from 'typescript'

const compilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  esModuleInterop: true,
  noEmitHelpers: true,
  removeComments: true,
}

/** What TypeScript calls where a module is imported as a whole, once for all parts. */
const helpers = [
  function __importStar(module) {
    if (module?.__esModule) return module
    const members = {...Object.getOwnPropertyDescriptors(module), default: {value: module, enumerable: true}}
    return Object.defineProperties({}, members)
  },
  function __importDefault(module) {
    return module?.__esModule ? module : {default: module}
  },
]

/**
 * Runs in the file: the `require` of its parts. A part runs when something that it exports is first used.
 * @param {Record<string, (exports: object, require: NodeJS.Require) => void>} parts
 * @param {NodeJS.Require} require
 */
function partsLoader(parts, require) {
  const loaded = new Map()
  function load(id) {
    const part = parts[id]
    if (!part) return require(id)
    if (!loaded.has(id)) loaded.set(id, late(part))
    return loaded.get(id)
  }
  load.resolve = require.resolve
  function late(part) {
    const get = (_, name) => {
      if (Object.getPrototypeOf(exports) !== Object.prototype)
        part(Object.setPrototypeOf(exports, Object.prototype), load)
      return exports[name]
    }
    const exports = Object.create(new Proxy({}, {get}))
    return exports
  }
  return load
}

/**
 * The text of a function of what Node hands to a CommonJS module, what esbuild says of it, and the modules of each part.
 * @param {import('esbuild').BuildOptions} options With `stdin`, whose exports are those of the file.
 */
export async function partsOf({banner, supported: _, ...options}) {
  const {metafile, outputFiles} = await build({...options, format: 'esm', splitting: true, outdir: 'parts'})
  const outputs = Object.entries(metafile.outputs).map(([path, output], at) => ({...output, path, id: `p${at}`}))
  const fileOf = (path) => `./${basename(path)}`
  // Every use of an import is written as a member of what the file is called.
  const ids = new Map(outputs.map(({path, id}) => [JSON.stringify(fileOf(path)), JSON.stringify(id)]))
  const texts = new Map(outputFiles.map(({path, text}) => [fileOf(path), text]))
  const parts = outputs.map(({path, id}) => {
    const text = texts.get(fileOf(path))?.replaceAll(/"\.\/[\w-]+\.js"/g, (name) => ids.get(name) ?? name) ?? ''
    const {outputText} = ts.transpileModule(text, {compilerOptions})
    return `${id}(exports,require){${outputText}}`
  })
  const entry = outputs.find(({entryPoint}) => entryPoint === '<stdin>')?.id
  const text = `(function(exports,require,module,__filename,__dirname){${banner?.js ?? ''}${helpers.join('\n')}
    const load=(${partsLoader})({${parts.join(',\n')}},require);load("${entry}").__esModule;module.exports=load("${entry}")})`
  const {code} = await transform(text, {minifyWhitespace: true, target: 'node20'})
  const contents = Object.fromEntries(outputs.map(({id, inputs}) => [id, Object.keys(inputs)]))
  return {metafile, text: code.trim().replace(/;$/, ''), contents}
}
