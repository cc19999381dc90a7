#!/usr/bin/env node
// The command line from its TypeScript sources, through tsx; the committed manifest is not used.
import {fileURLToPath} from 'node:url'
import {register} from 'tsx/esm/api'

register()
process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
const {sourceConfig} = await import('./source-config.ts')
const {main} = await import('../src/cli/main.ts')
await main(process.argv.slice(2), await sourceConfig(fileURLToPath(new URL('..', import.meta.url))))
