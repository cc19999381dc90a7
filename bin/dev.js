#!/usr/bin/env node
// The command line from its TypeScript sources, through tsx; the committed manifest is not used.
const {dirname} = require('node:path')
require('./nameless-user.js')

async function run() {
  const {register} = await import('tsx/esm/api')
  register()
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
  const {sourceConfig} = await import('./source-config.mts')
  const {main} = await import('../src/cli/command/main.ts')
  await main(process.argv.slice(2), {config: () => sourceConfig(dirname(__dirname))})
}

void run()
