// Loads the bundle with V8's compiled code for it, so that a start neither parses nor compiles two megabytes again.
const {readFileSync} = require('node:fs')
const {dirname} = require('node:path')
const {Script} = require('node:vm')

/** What a module in `file` requires. What Node makes for that takes half a millisecond to load, and few commands need it. */
function requireOf(/** @type {string} */ file) {
  /** @type {NodeJS.Require | undefined} */
  let made
  const own = () => (made ??= require('node:module').createRequire(file))
  const late = (/** @type {string} */ name) => process.getBuiltinModule(name) ?? own()(name)
  /** @type {(name: string, options?: object) => string} */
  late.resolve = (name, options) => own().resolve(name, options)
  return late
}

/**
 * The bundle in `file` is the text of a function of what Node hands to a CommonJS module: V8 compiles it as it is read, where
 * text around it would mean a copy.
 * @param {string} file ASCII.
 * @param {Buffer} [cachedData]
 */
function compiled(file, cachedData) {
  const script = new Script(readFileSync(file, 'latin1'), {filename: file, cachedData})
  const module = {exports: {}}
  /** @returns {any} What it exports. */
  const run = () => {
    script.runInThisContext()(module.exports, requireOf(file), module, file, dirname(file))
    return module.exports
  }
  return {script, run}
}

/**
 * What the bundle exports, and `ran`, which is told the name of the command that runs. When the process ends, the code of a
 * command that ran for the first time is kept beside that of the others.
 * @param {string} file Beside it lies its digest.
 */
function load(file) {
  const cache = require('./code-cache.js').openCache(file)
  const {script, run} = compiled(file, cache.code)
  if (script.cachedDataRejected) cache.forget()
  /** @param {string} command */
  const ran = (command) => {
    process.once('exit', () => cache.learn(command, () => script.createCachedData()))
  }
  return {...run(), ran}
}

module.exports = {load}
