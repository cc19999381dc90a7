import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Config, type Interfaces, Plugin, settings} from '@oclif/core'

/** oclif over the TypeScript sources, for development and for tests: neither the manifest nor `dist` is read. */
export async function sourceConfig(root: string): Promise<Config> {
  // tsx is registered already; oclif would look for another transpiler.
  settings.enableAutoTranspile = false
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON
  pjson.oclif = {...pjson.oclif, commands: {strategy: 'pattern', target: './commands'}}
  const plugin = new Plugin({
    root,
    pjson,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  return Config.load({root, pjson, plugins: new Map([[plugin.name, plugin]])})
}
