#!/usr/bin/env node
// Puts the command line into one file: `dist/cli/frontdesk.cjs`, with what is large and rarely needed in files beside it.
// The reasons are in docs/performance.md. Outside stay the libraries that the package depends on in any case, for those who
// import it, and that are large or loaded by a worker.
import {createHash} from 'node:crypto'
import {copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {lateOclif} from './late-requires.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist', 'cli')
const file = join(folder, 'frontdesk.cjs')

const external = ['bcryptjs', 'i18n-iso-countries', 'pg', 'typescript', 'undici']

/** Libraries with a file of their own, which is loaded when the first command imports it, and what of them is used. */
const chunks = {
  graphql: "export {GraphQLError, parse} from 'graphql'",
  inquirer: "module.exports = require('inquirer').default",
  yaml: "export {stringify} from 'yaml'",
}

/** One module that knows every command and loads none before it is asked for. */
function entry() {
  const commands = readdirSync(join(root, 'commands'), {recursive: true})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort()
    .map((name) => `${JSON.stringify(name.replaceAll('/', ':'))}: () => import('./commands/${name}.js'),`)
  return `import {bundledConfig} from './src/cli/command/bundled.js'
    export {main} from './src/cli/command/main.js'
    export {start} from './src/cli/command/start.js'
    export const config = (root) => bundledConfig(root, {${commands.join('\n')}})`
}

/** @satisfies {import('esbuild').BuildOptions} */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Names stay, for the stack of a reported bug and for the test of what a command loads.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  write: false,
  metafile: true,
  logLevel: 'warning',
}

/** @type {import('esbuild').Plugin} */
const besideTheBundle = {
  name: 'beside-the-bundle',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(chunks).join('|')})$`)
    build.onResolve({filter}, ({path}) => ({path: `./${path}.cjs`, external: true}))
  },
}

/** @param {import('esbuild').BuildOptions} more */
async function outputOf(more) {
  const {metafile, outputFiles} = await build({...options, ...more})
  return {text: outputFiles[0].text.replaceAll(/[^\x00-\x7f]/g, escaped), inputs: Object.keys(metafile.inputs)}
}

/** Writes the bundle and its chunks; returns the files that went into them. */
async function bundle() {
  const {text, inputs} = await outputOf({
    stdin: {contents: entry(), resolveDir: root, loader: 'ts'},
    define: {'import.meta.url': 'bundleUrl'},
    banner: {js: '"use strict";const bundleUrl=require("node:url").pathToFileURL(__filename).href;'},
    // V8 cannot import from code that it kept (nodejs/node#43663); all that is left outside can be required.
    supported: {'dynamic-import': false},
    external,
    plugins: [lateOclif, besideTheBundle],
  })
  writeFileSync(file, text, 'ascii')
  writeFileSync(`${file}.digest`, createHash('sha256').update(text).digest('hex'))
  for (const [name, contents] of Object.entries(chunks)) {
    const chunk = await outputOf({stdin: {contents, resolveDir: root, loader: 'js'}, mainFields: ['module', 'main']})
    writeFileSync(join(folder, `${name}.cjs`), chunk.text, 'ascii')
    inputs.push(...chunk.inputs)
  }
  copyFileSync(join(root, 'src/secrets/password-worker.mjs'), join(folder, 'password-worker.mjs'))
  return inputs
}

/** ASCII is read without decoding, and V8 keeps a byte a character. esbuild writes other characters in expressions only. */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The licences of the libraries that the bundle contains. */
function notices(inputs) {
  const packages = new Set(inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  const texts = [...packages].sort().map((path) => {
    const {name, version, license} = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const text = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${text ? readFileSync(join(root, path, text), 'utf8').trim() : ''}\n`
  })
  writeFileSync(join(folder, 'NOTICES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

rmSync(folder, {recursive: true, force: true})
mkdirSync(folder, {recursive: true})
notices(await bundle())
