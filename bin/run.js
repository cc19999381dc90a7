#!/usr/bin/env node
// The compiled command line. `--version` answers before anything is loaded.
import {existsSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = new URL('../dist/src/cli/main.js', import.meta.url)

if (process.argv[2] === '--version') {
  const {name, version} = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
} else if (existsSync(main)) {
  // oclif's own check of Node's version loads a library for it; package.json states the version already.
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
  const {main: run} = await import(main.href)
  await run(process.argv.slice(2), root)
} else {
  process.stderr.write(`Error: The compiled files are missing in ${root}dist.\nRun: npm run build\nexit 13\n`)
  process.exitCode = 13
}
