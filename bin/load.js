// Loads the bundle with V8's compiled code for it, so that a start neither parses nor compiles two megabytes again.
const {readFileSync} = require('node:fs')
const {createRequire} = require('node:module')
const {dirname} = require('node:path')
const vm = require('node:vm')
const {openCache} = require('./code-cache.js')

/**
 * What the bundle in `file` exports, and `ran`, which is told the name of the command that runs. When the process ends, the
 * code of a command that ran for the first time is kept beside that of the others.
 * @param {string} file ASCII; beside it lies its digest.
 */
function load(file) {
  const cache = openCache(file)
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
  const script = new vm.Script(source, {filename: file, cachedData: cache.code})
  if (script.cachedDataRejected) cache.forget()
  const module = {exports: {}}
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
  /** @param {string} command */
  const ran = (command) => {
    process.once('exit', () => cache.learn(command, () => script.createCachedData()))
  }
  return {...module.exports, ran}
}

module.exports = {load}
