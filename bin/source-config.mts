import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {type Command, Config, type Interfaces, Plugin, settings} from '@oclif/core'
import {scopeLines, scopesOfAll} from '../src/cli/command/scopes.js'
import {aliasesOf} from '../src/cli/command/synonyms.js'

/** Commands are imported as all other modules are, by whatever loads TypeScript here; oclif would decide for itself. */
class SourcePlugin extends Plugin {
  override findCommand(id: string, options: {must: true}): Promise<Command.Class>
  override findCommand(id: string, options?: {must: boolean}): Promise<Command.Class | undefined>
  override async findCommand(id: string): Promise<Command.Class | undefined> {
    const relativePath = ['commands', ...`${id}.ts`.split(':')]
    const {default: found} = (await import(pathToFileURL(join(this.root, ...relativePath)).href)) as {
      default: Command.Class
    }
    return Object.assign(found, {id, plugin: this, isESM: true, relativePath})
  }
}

async function sourcePlugin(root: string): Promise<Plugin> {
  // tsx is registered already; oclif would look for another transpiler.
  settings.enableAutoTranspile = false
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON
  pjson.oclif = {...pjson.oclif, commands: {strategy: 'pattern', target: './commands'}}
  const plugin = new SourcePlugin({
    root,
    pjson,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
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
export async function sourceConfig(root: string): Promise<Config> {
  const plugin = await sourcePlugin(root)
  return Config.load({root, pjson: plugin.pjson, plugins: new Map([[plugin.name, plugin]])})
}

interface ListedFlag {
  readonly helpGroup?: string
}

/**
 * The text of `oclif.manifest.json`, from the sources, with what else people may type for a command. Global flags are left out: commands know them, help has a topic for
 * them, and repeating them would make every start read half a megabyte.
 */
export async function manifestText(root: string): Promise<string> {
  const config = await sourceConfig(root)
  const {commands, version} = (config.plugins.get(config.name) as Plugin).manifest
  const listed = Object.entries(commands)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, command]) => {
      const flags = Object.entries<ListedFlag>(command.flags).filter(([, {helpGroup}]) => helpGroup !== 'GLOBAL')
      const relativePath = ['dist', ...(command.relativePath ?? [])].map((part) => part.replace(/\.ts$/, '.js'))
      const shown = {...command, flags: Object.fromEntries(flags), relativePath, hiddenAliases: aliasesOf(id, config)}
      return `${JSON.stringify(id)}: ${JSON.stringify(shown)}`
    })
  // A line for each command: it is packed, and read by people in differences alone.
  return `{"version": ${JSON.stringify(version)}, "commands": {\n${listed.join(',\n')}\n}}\n`
}
