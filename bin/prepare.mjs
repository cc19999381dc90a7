#!/usr/bin/env node
// npm runs it after an installation in a clone, and before it packs. Without the tools, as after `npm ci --omit=dev`, there
// is nothing to build with; what was built before stays.
import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'

const tools = ['typescript', 'esbuild', '@oclif/core'].map(
  (name) => new URL(`../node_modules/${name}/`, import.meta.url),
)
if (tools.every((folder) => existsSync(folder))) {
  const {status} = spawnSync('npm', ['run', 'build'], {stdio: 'inherit', shell: process.platform === 'win32'})
  process.exitCode = status ?? 1
} else {
  console.log('The tools of the build are not installed, so nothing is built: npm ci && npm run build')
}
