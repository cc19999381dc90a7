import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Command, Config, type Interfaces, Plugin} from '@oclif/core'

/** The modules of the commands by id, each loaded when it is asked for. */
export type CommandModules = Readonly<Record<string, () => Promise<{readonly default: unknown}>>>

/** The commands of the bundle: oclif reads its manifest, and their modules come from the bundle and not from the disk. */
class BundledPlugin extends Plugin {
  readonly #modules: CommandModules

  constructor(options: Interfaces.PluginOptions, modules: CommandModules) {
    super(options)
    this.#modules = modules
  }

  override findCommand(id: string, options: {must: true}): Promise<Command.Class>
  override findCommand(id: string, options?: {must: boolean}): Promise<Command.Class | undefined>
  override async findCommand(id: string): Promise<Command.Class | undefined> {
    const module = await this.#modules[id]?.()
    return module && Object.assign(module.default as Command.Class, {id, plugin: this})
  }
}

/** oclif over the commands of the bundle, for the built command line. */
export async function bundledConfig(root: string, modules: CommandModules): Promise<Config> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Interfaces.PJSON
  const plugin = new BundledPlugin({root, pjson, isRoot: true}, modules)
  await plugin.load()
  return Config.load({root, pjson, plugins: new Map([[plugin.name, plugin]])})
}
