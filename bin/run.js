#!/usr/bin/env node
// The built command line. CommonJS, because Node starts its module loader for ESM first: a tenth of a bare start.
const {existsSync, readFileSync, writeSync} = require('node:fs')
const {dirname, join} = require('node:path')

const root = dirname(__dirname)
const bundle = join(root, 'dist', 'cli', 'frontdesk.cjs')

/** Prints the version where it was asked for, and returns whether it did. An output that cannot be written is left to the program. */
function printedVersion() {
  if (process.argv[2] !== '--version' || process.argv.length > 3) return false
  const {name, version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  try {
    const line = Buffer.from(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
    for (let taken = 0; taken < line.length; ) taken += writeSync(1, line, taken)
    return true
  } catch {
    return false
  }
}

if (!printedVersion()) {
  if (!process.env.SHELL || !process.env.HOME) require('./nameless-user.js')
  // oclif's own check of Node's version loads a library for it; package.json states the version already.
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
  if (!existsSync(bundle)) {
    process.stderr.write(
      `Error: The compiled files are missing in ${join(root, 'dist')}.\nRun: npm run build\nexit 13\n`,
    )
    process.exitCode = 13
  } else {
    const {main, config, ran} = require('./load.js').load(bundle)
    void main(process.argv.slice(2), {config: () => config(root), onCommand: ran})
  }
}
