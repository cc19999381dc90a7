// Loads the bundle with V8's compiled code for it, so that a start neither parses nor compiles a megabyte again.
const {readFileSync} = require('node:fs')
const nodeModule = require('node:module')
const {dirname, join} = require('node:path')
const vm = require('node:vm')

/**
 * Where the build keeps the compiled code of a bundle.
 * @param {string} file
 */
const codeOf = (file) => `${file}.code`

/**
 * The bundle in `file`, which is ASCII, as a script, and how to run it for its exports.
 * @param {string} file
 * @param {Buffer} [cachedData] Compiled code; absent while the build makes it.
 */
function compile(file, cachedData) {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
  const script = new vm.Script(source, {filename: file, cachedData})
  const exportsOf = () => {
    const module = {exports: {}}
    script.runInThisContext()(module.exports, nodeModule.createRequire(file), module, file, dirname(file))
    return module.exports
  }
  return {script, exportsOf}
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/**
 * What the bundle in `file` exports. V8 refuses code that another release of it compiled; then Node's own cache serves,
 * where there is one (from 22.1), or the source. Either cache lies beside the bundle: who can write there could change the
 * bundle itself.
 * @param {string} file
 */
function load(file) {
  const code = readIfThere(codeOf(file))
  const {script, exportsOf} = compile(file, code)
  const isCompiled = code !== undefined && !script.cachedDataRejected
  const {enableCompileCache} = /** @type {{enableCompileCache?: (folder: string) => unknown}} */ (
    /** @type {unknown} */ (nodeModule)
  )
  if (isCompiled || !enableCompileCache) return exportsOf()
  enableCompileCache(join(dirname(file), 'compile-cache'))
  return require(file)
}

module.exports = {codeOf, compile, load}
