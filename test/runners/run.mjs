#!/usr/bin/env node
// `npm run test:runners [-- NAME…]`: packs frontdesk, installs it with each test runner into an empty folder, and runs the
// samples of fixtures/runners. Needs the registry; it is no part of `npm test`.
import {spawnSync} from 'node:child_process'
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const {devDependencies} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What each sample needs beside frontdesk and the SDK, and how it is run. */
const samples = {
  mocha: {packages: [`mocha@${devDependencies.mocha}`], command: ['mocha', 'mocha/accounts.test.mjs']},
  'node-test': {packages: [], command: ['node', '--test', 'node-test/accounts.test.mjs']},
  vitest: {packages: ['vitest@3'], command: ['vitest', 'run', '--dir', 'vitest']},
  jest: {packages: ['jest@30'], command: ['jest', '-c', 'jest/jest.config.cjs']},
  'jest-global-setup': {packages: ['jest@30'], command: ['jest', '-c', 'jest-global-setup/jest.config.cjs']},
  playwright: {
    packages: ['@playwright/test@1'],
    command: ['frontdesk', 'server', 'exec', '--project-key', 'shop', '--', 'playwright', 'test', '-c', 'playwright'],
  },
}

const asked = process.argv.slice(2)
const names = Object.keys(samples).filter((name) => asked.length === 0 || asked.includes(name))
const folder = mkdtempSync(join(tmpdir(), 'frontdesk-runners-'))

function run(command, argv, env = process.env) {
  const {status, error} = spawnSync(command, argv, {cwd: folder, stdio: 'inherit', env, timeout: 600_000})
  if (error) console.error(error.message)
  return status === 0
}

/** The packed tree: what a published package would hold. */
function packed() {
  const {stdout, status} = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error('npm pack failed')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? JSON.parse(stdout)[0].filename)
}

try {
  cpSync(join(root, 'fixtures/runners'), folder, {recursive: true})
  const sdk = ['platform-sdk', 'ts-client'].map((name) => `@commercetools/${name}@${devDependencies[`@commercetools/${name}`]}`)
  const packages = [...new Set(names.flatMap((name) => samples[name].packages))]
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  if (!run('npm', ['install', '--no-audit', '--no-fund', packed(), ...sdk, ...packages])) throw new Error('npm install failed')
  const env = {...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`}
  const results = names.map((name) => {
    console.log(`\n== ${name}`)
    const [command, ...argv] = samples[name].command
    return [name, run(command, argv, env)]
  })
  console.log(`\n${results.map(([name, passed]) => `${passed ? 'passed' : 'FAILED'}  ${name}`).join('\n')}`)
  process.exitCode = results.every(([, passed]) => passed) ? 0 : 1
} finally {
  rmSync(folder, {recursive: true, force: true})
}
