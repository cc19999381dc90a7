'use strict'

const {createHash} = require('node:crypto')
const {mkdirSync, readFileSync, renameSync, writeFileSync} = require('node:fs')
const Module = require('node:module')
const {join} = require('node:path')
const {types} = require('node:util')
const esbuild = require('esbuild')

/**
 * Loads TypeScript as CommonJS, in the thread that asks for it. Hooks of Node's loader for ES modules run in a thread of their
 * own on Node 20, and are asked anew at every `await import()`: a third of the time of the tests.
 */

const folder = join(__dirname, '../node_modules/.cache/frontdesk-tests/typescript')
const options = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  loader: 'ts',
  sourcemap: 'inline',
  sourcesContent: false,
  supported: {'dynamic-import': false},
  define: {'import.meta.dirname': '__dirname', 'import.meta.url': '__importMetaUrl'},
  banner: '"use strict";const __importMetaUrl=require("node:url").pathToFileURL(__filename).href;',
}
const version = JSON.stringify([esbuild.version, options])

/** @param {string} path */
const isTypeScript = (path) => /\.m?ts$/.test(path)

/** What importing a CommonJS module gives: its exports by name and as the default. @type {WeakMap<object, object>} */
const wrapped = new WeakMap()

/** What `import` gives for a module. @param {NodeJS.Require} require @param {string | URL} name */
globalThis.__imported = (require, name) => {
  const path = String(name).startsWith('file:') ? require('node:url').fileURLToPath(name) : String(name)
  const exported = require(path)
  const isPlain = exported === null || (typeof exported !== 'object' && typeof exported !== 'function')
  if (isPlain) return {default: exported}
  if (types.isModuleNamespaceObject(exported) || isTypeScript(require.resolve(path))) return exported
  const made = wrapped.get(exported) ?? Object.assign(Object.create(null), exported, {default: exported})
  wrapped.set(exported, made)
  return made
}

/** @param {string} path */
function compiled(path) {
  const source = readFileSync(path, 'utf8')
  const kept = join(folder, `${createHash('sha1').update(version).update(path).update(source).digest('hex')}.js`)
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    const {code} = esbuild.transformSync(source, {...options, sourcefile: path})
    // Node asks for what is CommonJS by the rules of ES modules, which esbuild does not know here.
    const text = code.replaceAll('__toESM(require(', '__imported(require, (')
    mkdirSync(folder, {recursive: true})
    writeFileSync(`${kept}.${process.pid}`, text)
    renameSync(`${kept}.${process.pid}`, kept)
    return text
  }
}

for (const extension of ['.ts', '.mts']) {
  Module._extensions[extension] = (module, path) => module._compile(compiled(path), path)
}

const {_resolveFilename} = Module
/** The sources import each other by the names that they have when they are compiled. */
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^\.{0,2}\/.*\.m?js$/.test(request) && isTypeScript(parent?.filename ?? '')) {
    try {
      return _resolveFilename.call(this, request.replace(/js$/, 'ts'), parent, ...rest)
    } catch {
      // A file of JavaScript.
    }
  }
  return _resolveFilename.call(this, request, parent, ...rest)
}

process.setSourceMapsEnabled(true)

// A test that runs in CI says so itself: what it starts inherits this process's variables.
delete process.env.CI
