#!/usr/bin/env node
// `npm run build`: compiles and bundles. Where `dist` is still what was built from these very sources with these very tools,
// by their contents, there is nothing to do: `npm ci` builds, and `npm test` would build again.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What the last build was made from, and what it made. */
const record = 'dist/.build'
/** The second list of packages is of those that are really installed. */
const inputs = ['src', 'commands', 'bin', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json']
const settings = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name))
/** The compiler's own notes, which it may write anew without a change. */
const notMade = [record, 'dist/.tsbuildinfo']

/** @param {string} path @returns {string[]} The files below, in an order of their own. */
function filesBelow(path) {
  if (!existsSync(join(root, path))) return []
  const entries = readdirSync(join(root, path), {recursive: true, withFileTypes: true})
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** @param {readonly string[]} paths */
function digestOf(paths) {
  const hash = createHash('sha256')
  const files = paths.flatMap((path) => (/\.json$/.test(path) ? [join(root, path)] : filesBelow(path)))
  for (const file of files.filter((file) => existsSync(file)).sort()) {
    if (notMade.includes(file.slice(root.length))) continue
    const content = readFileSync(file)
    hash.update(`${file.slice(root.length)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

const [builtFrom, made] = existsSync(join(root, record)) ? readFileSync(join(root, record), 'utf8').split('\n') : []
const from = digestOf([...inputs, ...settings])
const isWhole = made === digestOf(['dist'])

if (builtFrom === from && isWhole) {
  console.log('dist is up to date.')
} else {
  rmSync(join(root, record), {force: true})
  // The compiler writes what its notes say has changed, and not what somebody else did to its files.
  if (!isWhole) rmSync(join(root, 'dist'), {recursive: true, force: true})
  const steps = [
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    [join(root, 'bin/bundle.mjs')],
  ]
  const failed = steps.find((words) => spawnSync(process.execPath, words, {cwd: root, stdio: 'inherit'}).status !== 0)
  if (failed) process.exitCode = 1
  else writeFileSync(join(root, record), `${from}\n${digestOf(['dist'])}\n`)
}
