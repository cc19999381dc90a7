#!/usr/bin/env node
// Compiles the sources into `dist`, and bundles them: the command line into `dist/cli`, the library into `dist/lib`. The
// reasons are in src/performance.md. The library is CommonJS, which Jest can load as well, with a door for ES modules.
import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire, isBuiltin} from 'node:module'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {partsOf} from './parts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const {dependencies} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Dependencies that stay outside, as large or loaded by a worker, and what oclif's libraries use where it is installed. */
const external = ['bcryptjs', 'i18n-iso-countries', 'numfmt', 'pg', 'sax', 'undici', 'yauzl']
const absent = ['typescript']

/** Libraries with a file of their own beside the command line, which the first command that imports it loads. */
const chunks = {
  graphql: `export {buildASTSchema, execute, getNullableType, GraphQLError, GraphQLObjectType, GraphQLSchema,
    parse, specifiedRules, validate, valueFromASTUntyped, visit} from 'graphql'`,
  inquirer: "module.exports = require('inquirer').default",
  yaml: "export {stringify} from 'yaml'",
}

/** One module that knows every command and loads none before it is asked for. */
function commandLine() {
  const commands = readdirSync(join(root, 'commands'), {recursive: true})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort()
    .map((name) => `${JSON.stringify(name.replaceAll('/', ':'))}: () => import('./commands/${name}.js'),`)
  return `import {bundledConfig} from './src/cli/command/bundled.js'
    export {main, start} from './src/cli/command/main.js'
    export const config = (root) => bundledConfig(root, {${commands.join('\n')}})`
}

const chunkFile = (name) => `${name}.cjs`

/** @type {(names: readonly string[]) => import('esbuild').Plugin} */
const besideTheBundle = (names) => ({
  name: 'beside-the-bundle',
  setup(build) {
    const filter = new RegExp(`^(${names.join('|')})$`)
    build.onResolve({filter}, ({path}) => ({path: `./${chunkFile(path)}`, external: true}))
  },
})

/**
 * Libraries of which nothing of ours uses anything, and what stands for them: four fifths of inquirer are for the editor
 * prompt; oclif looks for files of commands, which the bundle knows, opens a terminal for traces and colours, and asks
 * whether this is Linux on Windows, which it looks up in several files.
 */
const unused = {
  '@inquirer/external-editor': '{}',
  debug: '() => () => undefined',
  'supports-color': '{stdout: false, stderr: false}',
  tinyglobby: '{}',
  'wsl-utils': '{isWsl: false}',
}

/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without-unused',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(unused).join('|')})$`)
    build.onResolve({filter}, ({path}) => ({path, namespace: 'stub'}))
    build.onLoad({filter: /.*/, namespace: 'stub'}, ({path}) => ({contents: `module.exports = ${unused[path]}`}))
  },
}

/** Throws for what an installed package would not find. */
function checkExternal(outputs) {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  for (const {path} of imports.filter((one) => one.external && !one.path.startsWith('.'))) {
    const name = path.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? ''
    if (path.startsWith('node:') || external.includes(name) || absent.includes(name)) continue
    if (!isBuiltin(path)) throw new Error(`${path} stays outside the bundle and is no dependency.`)
  }
  for (const name of external) if (!(name in dependencies)) throw new Error(`${name} is no dependency any more.`)
}

async function wholeOf(options) {
  const {metafile, outputFiles} = await build(options)
  return {metafile, text: outputFiles[0].text}
}

/** Writes one CommonJS file, of ASCII; returns its text and the files that went into it. */
async function bundle(file, contents, more = {}, made = wholeOf) {
  const {
    metafile,
    text: unescaped,
    contents: parts,
  } = await made({
    stdin: {contents, resolveDir: root, loader: 'ts'},
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Builds for every loader ask for modules by names that the bundle does not have.
    mainFields: ['module', 'main'],
    // Names stay, for the stack of a reported bug and for the test of what a command loads.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    define: {'import.meta.url': 'bundleUrl'},
    banner: {js: '"use strict";const bundleUrl=require("node:url").pathToFileURL(__filename).href;'},
    // Neither Jest nor code that V8 kept (nodejs/node#43663) can import; all that stays outside can be required.
    supported: {'dynamic-import': false},
    external: [...external, ...absent],
    write: false,
    metafile: true,
    logLevel: 'warning',
    ...more,
  })
  checkExternal(metafile.outputs)
  // ASCII is read without decoding, and V8 keeps a byte a character. esbuild writes others in expressions only.
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const text = unescaped.replaceAll(/[^\x00-\x7f]/g, escaped)
  mkdirSync(dirname(file), {recursive: true})
  writeFileSync(file, text, 'ascii')
  return {text, parts, inputs: Object.keys(metafile.inputs)}
}

/**
 * The licences of the libraries that a bundle contains. Those with the same text stand together above it.
 * @param {string} root
 * @param {readonly string[]} inputs The files of the bundle, below the root.
 */
function notices(root, inputs) {
  const packages = new Set(inputs.flatMap((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  /** @type {Map<string, string[]>} */
  const byText = new Map()
  for (const path of [...packages].sort()) {
    const {name, version, license} = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? readFileSync(join(root, path, file), 'utf8').trim() : ''
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return parts.join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * Copies a declaration file and all that it leads to, so that they can stand in a folder of CommonJS: TypeScript reads a
 * file by the kind of its folder, and refuses to `require` what it takes for an ES module.
 * @param {string} from
 * @param {string} name
 * @param {string} to
 */
function declarationsFrom(from, name, to) {
  const seen = new Set([name])
  for (const file of seen) {
    const text = readFileSync(join(from, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g)) {
      seen.add(join(dirname(file), `${path}.d.ts`))
    }
    mkdirSync(dirname(join(to, file)), {recursive: true})
    copyFileSync(join(from, file), join(to, file))
  }
}

/** The thread that a server starts, beside what starts it. */
const thread = 'password-worker.mjs'

async function bundleCommandLine() {
  const folder = join(dist, 'cli')
  const file = join(folder, 'frontdesk.cjs')
  const plugins = [besideTheBundle(Object.keys(chunks)), withoutUnused]
  const {text, parts, inputs} = await bundle(file, commandLine(), {plugins}, partsOf)
  // For the test of what a command loads.
  writeFileSync(join(folder, 'parts.json'), JSON.stringify(parts))
  writeFileSync(`${file}.digest`, createHash('sha256').update(text).digest('hex'))
  for (const [name, contents] of Object.entries(chunks)) {
    const chunk = await bundle(join(folder, chunkFile(name)), contents, {
      plugins: [withoutUnused],
      minifyIdentifiers: true,
    })
    inputs.push(...chunk.inputs)
  }
  copyFileSync(join(root, 'src/secrets', thread), join(folder, thread))
  return inputs
}

async function bundleLibrary() {
  const folder = join(dist, 'lib')
  const file = join(folder, 'index.js')
  // Shortened names would have to be put back (`keepNames`): a call of defineProperty for each function that a request makes.
  const {inputs} = await bundle(file, "export * from './src/index.js'", {plugins: [besideTheBundle(['graphql'])]})
  // The package carries these once.
  writeFileSync(join(folder, chunkFile('graphql')), `module.exports = require('../cli/${chunkFile('graphql')}')\n`)
  writeFileSync(join(folder, thread), `import '../cli/${thread}'\n`)
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}\n')
  // The package carries the licences once as well.
  writeFileSync(
    join(folder, 'NOTICES.txt'),
    'The licences of the libraries in this folder stand in ../cli/NOTICES.txt.\n',
  )
  declarationsFrom(join(dist, 'src'), 'index.d.ts', folder)
  const names = Object.keys(createRequire(file)(file)).sort().join(', ')
  writeFileSync(join(folder, 'index.mjs'), `import library from './index.js'\n\nexport const {${names}} = library\n`)
  writeFileSync(join(folder, 'index.d.mts'), "export * from './index.js'\n")
  return inputs
}

/** Checks the types and writes the modules and declarations that the library ships. */
async function compile() {
  const words = [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')]
  const [code] = await once(spawn(process.execPath, words, {stdio: 'inherit'}), 'exit')
  if (code !== 0) process.exit(1)
}

for (const folder of ['cli', 'lib']) rmSync(join(dist, folder), {recursive: true, force: true})
const [, inputs] = await Promise.all([compile(), bundleCommandLine()])
writeFileSync(join(dist, 'cli', 'NOTICES.txt'), notices(root, [...inputs, ...(await bundleLibrary())]))
