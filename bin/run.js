#!/usr/bin/env node
// The built command line. CommonJS, because Node starts its module loader for ESM first: a tenth of a bare start.
const {existsSync, readFileSync, writeSync} = require('node:fs')
const {dirname, join} = require('node:path')

const root = dirname(__dirname)
const bundle = join(root, 'dist', 'cli', 'frontdesk.cjs')
/** The modules of the command, which a package lacks. */
const modules = join(root, 'dist', 'src', 'cli', 'command', 'main.js')

/** Whether the version was asked for and told. An output that cannot be written is left to the program, which says so. */
function toldVersion() {
  if (process.argv[2] !== '--version' || process.argv.length > 3) return false
  const {name, version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  try {
    writeSync(1, `${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
    return true
  } catch {
    return false
  }
}

/** Runs the bundle. @param {any} exported */
function run({main, config, ran}) {
  void main(process.argv.slice(2), {config: () => config(root), onCommand: ran})
}

/**
 * The compiled modules one by one, with oclif as its authors wrote it: slower, and without all that is done for a quick
 * start (src/performance.md).
 */
async function startPlainly() {
  const {pathToFileURL} = require('node:url')
  const {Config, settings} = await import('@oclif/core')
  // Beside TypeScript sources oclif would run those.
  settings.enableAutoTranspile = false
  const {main} = await import(pathToFileURL(modules).href)
  await main(process.argv.slice(2), {config: () => Config.load({root})})
}

if (!toldVersion()) {
  if (!process.env.SHELL || !process.env.HOME) require('./nameless-user.js')
  // oclif's own check of Node's version loads a library for it; package.json states the version already.
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
  if (!existsSync(bundle)) {
    process.stderr.write(
      `Error: The compiled files are missing in ${join(root, 'dist')}.\nRun: npm run build\nexit 13\n`,
    )
    process.exitCode = 13
  } else if (process.env.FRONTDESK_PLAIN_START === '1') {
    if (existsSync(modules)) void startPlainly()
    else run(require('./load.js').loadPlainly(bundle))
  } else {
    run(require('./load.js').load(bundle))
  }
}
