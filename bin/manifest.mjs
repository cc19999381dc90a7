#!/usr/bin/env node
// Writes oclif.manifest.json from the sources.
import {writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {register} from 'tsx/esm/api'

register()
const {manifestText} = await import('./source-config.mts')
const root = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(new URL('../oclif.manifest.json', import.meta.url), await manifestText(root))
