#!/usr/bin/env node
// Writes docs/reference.md from the manifest, by `oclif readme`; with --check it compares only. Flags that every command has
// are left out: `frontdesk help flags` lists them once.
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = join(root, 'docs/reference.md')
const json = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))

const page = `# Command reference

Every command with its own flags, made by \`npm run docs\` from what the commands declare. Flags that stand with every
command are listed by \`frontdesk help flags\`; [commands.md](commands.md) tells the scopes that each command needs.

<!-- commands -->
<!-- commandsstop -->
`

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-reference-'))
try {
  const {name, version, oclif} = json('package.json')
  const {bin, topicSeparator} = oclif
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name, version, oclif: {bin, topicSeparator, commands: './none'}}))
  const {commands, ...manifest} = json('oclif.manifest.json')
  const own = (flags) => Object.fromEntries(Object.entries(flags).filter(([, flag]) => flag.helpGroup === undefined))
  const shown = Object.fromEntries(
    Object.entries(commands)
      .filter(([, command]) => !command.hidden)
      .map(([id, command]) => [id, {...command, flags: own(command.flags)}]),
  )
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({...manifest, commands: shown}))
  writeFileSync(join(folder, 'README.md'), page)
  const argv = ['readme', '--readme-path', 'README.md', '--no-source-links', '--no-aliases']
  const run = join(root, 'node_modules/oclif/bin/run.js')
  const env = {...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true', COLUMNS: '100'}
  const {status, stdout, stderr} = spawnSync(process.execPath, [run, ...argv], {cwd: folder, encoding: 'utf8', env})
  if (status !== 0) throw new Error(stdout + stderr)
  const text = `${readFileSync(join(folder, 'README.md'), 'utf8').replace(/[ \t]+$/gm, '').trimEnd()}\n`
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    console.error('docs/reference.md is stale: run npm run docs')
    process.exitCode = 1
  }
} finally {
  rmSync(folder, {recursive: true, force: true})
}
