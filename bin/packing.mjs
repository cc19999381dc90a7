#!/usr/bin/env node
// npm runs it around a pack. The package goes without `prepare`, of which npm warns whoever installs the tarball, though it has
// nothing to build there; so it runs here. `node bin/packing.mjs back` restores what an interrupted pack left.
import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs'

const [own, kept] = ['../package.json', '../package.json.kept'].map((name) => new URL(name, import.meta.url))
if (existsSync(kept)) renameSync(kept, own)
if (process.argv[2] !== 'back') {
  await import('./prepare.mjs')
  if (process.exitCode) process.exit()
  const text = readFileSync(own, 'utf8')
  writeFileSync(kept, text)
  writeFileSync(own, text.replace(/^ *"prepare": .*\n/m, ''))
}
