#!/usr/bin/env node
// Puts the command line into one file beside the compiled modules: `dist/cli/frontdesk.cjs`. The reasons are in
// docs/performance.md. What is optional, large and rarely needed, or loaded by a worker stays outside.
import {copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Writable} from 'node:stream'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {lateOclif} from './late-requires.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist', 'cli')
const file = join(folder, 'frontdesk.cjs')
const {codeOf, compile} = createRequire(import.meta.url)('./load.js')

const external = [
  '@napi-rs/keyring',
  '@valibot/to-json-schema',
  'bcryptjs',
  'cli-table3',
  'csv-parse',
  'graphql',
  'i18n-iso-countries',
  'inquirer',
  'jsonc-parser',
  'pg',
  'typescript',
  'undici',
  'yaml',
]

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

async function bundle() {
  const {metafile, outputFiles} = await build({
    stdin: {contents: entry(), resolveDir: root, loader: 'ts'},
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Names stay, for the stack of a reported bug and for the test of what a command loads.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    define: {'import.meta.url': 'bundleUrl'},
    banner: {
      js: `"use strict";const importModule=require("./import.cjs");const bundleUrl=require("node:url").pathToFileURL(__filename).href;`,
    },
    external,
    plugins: [lateOclif],
    outfile: file,
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
  // Code that V8 keeps cannot import modules by itself (nodejs/node#43663), so a module beside it does.
  const text = outputFiles[0].text.replaceAll(/\bimport\(/g, 'importModule(')
  writeFileSync(file, text.replaceAll(/[^\x00-\x7f]/g, escaped), 'ascii')
  writeFileSync(join(folder, 'import.cjs'), 'module.exports = (name) => import(name)\n')
  copyFileSync(join(root, 'src/secrets/password-worker.mjs'), join(folder, 'password-worker.mjs'))
  return Object.keys(metafile.inputs)
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

/** Runs what people run most, and keeps the code that V8 compiled for it. */
async function warmUp() {
  const {script, exportsOf} = compile(file)
  const exports = exportsOf()
  const home = mkdtempSync(join(tmpdir(), 'frontdesk-build-'))
  const sink = () => new Writable({write: (_chunk, _encoding, done) => done()})
  const env = {PATH: process.env.PATH, HOME: home, CI: '1'}
  for (const kind of ['CONFIG', 'DATA', 'CACHE']) env[`FRONTDESK_${kind}_DIR`] = join(home, kind)
  const io = {stdin: process.stdin, stdout: sink(), stderr: sink(), env, clock: Date.now}
  try {
    const config = await exports.config(root)
    for (const line of [
      'customers create --email ada@example.com --key ada --external-auth',
      'customers get key=ada',
      'customers query --where version>0',
      'customers get --help',
      '--help',
    ]) {
      const code = await exports.start(line.split(' '), {config: async () => config, io})
      if (code !== 0) throw new Error(`frontdesk ${line} ended with ${code}.`)
    }
    writeFileSync(codeOf(file), script.createCachedData())
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}

rmSync(folder, {recursive: true, force: true})
mkdirSync(folder, {recursive: true})
notices(await bundle())
await warmUp()
