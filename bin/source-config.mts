import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {type Config, type Plugin, settings} from '@oclif/core'
import {configOf, ModulePlugin, packageOf} from '../src/cli/command/bundled.js'
import {scopeLines, scopesOfAll} from '../src/cli/command/scopes.js'

/** Commands are imported as all other modules are, by whatever loads TypeScript here; oclif would decide for itself. */
async function sourcePlugin(root: string): Promise<Plugin> {
  // tsx is registered already; oclif would look for another transpiler.
  settings.enableAutoTranspile = false
  const pjson = packageOf(root)
  pjson.oclif = {...pjson.oclif, commands: {strategy: 'pattern', target: './commands'}}
  const options = {root, pjson, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true}
  const plugin = new ModulePlugin(
    {...options, respectNoCacheDefault: true},
    (id) => import(pathToFileURL(join(root, 'commands', ...`${id}.ts`.split(':'))).href),
  )
  await plugin.load()
  const needs = new Map((await scopesOfAll(plugin)).map((need) => [need.command, scopeLines(need)]))
  // Help shows them, and loads no declaration for it.
  for (const command of [...plugin.commands, ...Object.values(plugin.manifest.commands)]) {
    const scopes = needs.get(command.id.replaceAll(':', ' '))
    if (scopes) Object.assign(command, {scopes})
  }
  return plugin
}

/** oclif over the TypeScript sources, for development and for tests: neither the manifest nor `dist` is read. */
export const sourceConfig = async (root: string): Promise<Config> => configOf(await sourcePlugin(root))

interface ListedFlag {
  readonly helpGroup?: string
}

/**
 * The text of `oclif.manifest.json`, from the sources, without global flags: commands know them, and help has a topic for
 * them.
 */
export async function manifestText(root: string): Promise<string> {
  const config = await sourceConfig(root)
  const {commands, version} = (config.plugins.get(config.name) as Plugin).manifest
  const listed = Object.entries(commands)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, command]) => {
      const flags = Object.entries<ListedFlag>(command.flags).filter(([, {helpGroup}]) => helpGroup !== 'GLOBAL')
      return `${JSON.stringify(id)}: ${JSON.stringify({...command, flags: Object.fromEntries(flags)})}`
    })
  // A line for each command: it is packed, and read by people in differences alone.
  return `{"version": ${JSON.stringify(version)}, "commands": {\n${listed.join(',\n')}\n}}\n`
}
