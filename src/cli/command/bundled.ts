import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Command, Config, type Interfaces, Plugin} from '@oclif/core'

/** The module of a command by its id; undefined for an id that names none. */
type LoadCommand = (id: string) => Promise<{readonly default: unknown}> | undefined

/** A plugin whose commands come from where the caller says, and not from where oclif would look for them. */
export class ModulePlugin extends Plugin {
  readonly #load: LoadCommand

  constructor(options: Interfaces.PluginOptions, load: LoadCommand) {
    super(options)
    this.#load = load
  }

  override findCommand(id: string, options: {must: true}): Promise<Command.Class>
  override findCommand(id: string, options?: {must: boolean}): Promise<Command.Class | undefined>
  override async findCommand(id: string): Promise<Command.Class | undefined> {
    const module = await this.#load(id)
    return module && Object.assign(module.default as Command.Class, {id, plugin: this})
  }
}

export const packageOf = (root: string): Interfaces.PJSON =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON

/** oclif would look for colours of help in a file of the user's, at every start. */
class ColourlessConfig extends Config {
  override loadTheme(): Promise<undefined> {
    return Promise.resolve(undefined)
  }
}

export async function configOf(plugin: Plugin): Promise<Config> {
  const plugins = new Map([[plugin.name, plugin]])
  const config = new ColourlessConfig({root: plugin.root, pjson: plugin.pjson, plugins})
  await config.load()
  return config
}

/**
 * The commands of the manifest, in its order. oclif would read it with other properties of commands that it looks for, and
 * sort them by the rules of a language, which takes a tenth of a start.
 */
class BundledPlugin extends ModulePlugin {
  override async load(): Promise<void> {
    await super.load()
    this.manifest = JSON.parse(readFileSync(join(this.root, 'oclif.manifest.json'), 'utf8')) as Interfaces.Manifest
    this.hasManifest = true
    this.commandIDs = Object.keys(this.manifest.commands)
    this.commands = Object.entries(this.manifest.commands).map(([id, command]) => ({
      ...command,
      pluginAlias: this.alias,
      load: () => this.findCommand(id, {must: true}),
    }))
  }
}

/** oclif over the commands of the bundle: their modules are loaded when they are asked for. */
export async function bundledConfig(
  root: string,
  modules: Readonly<Record<string, () => Promise<{readonly default: unknown}>>>,
): Promise<Config> {
  const {oclif, ...pjson} = packageOf(root)
  const {commands, ...rest} = oclif
  const options = {root, pjson: {...pjson, oclif: rest}, isRoot: true, ignoreManifest: true}
  const plugin = new BundledPlugin(options, (id) => modules[id]?.())
  await plugin.load()
  return configOf(plugin)
}
