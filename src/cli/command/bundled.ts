import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Command, Config, type Interfaces, Plugin} from '@oclif/core'

/** The modules of the commands by id, each loaded when it is asked for. */
export type CommandModules = Readonly<Record<string, () => Promise<{readonly default: unknown}>>>

const readJson = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T

/**
 * The commands of the bundle as oclif's one plugin: listed by the manifest, which is sorted, and loaded from the bundle.
 * oclif's own way looks for modules on the disk and starts the collator of ICU to sort what is in order.
 */
class BundledPlugin extends Plugin {
  readonly #modules: CommandModules

  constructor(root: string, pjson: Interfaces.PJSON, modules: CommandModules) {
    super({root, pjson, isRoot: true})
    this.#modules = modules
    Object.assign(this, {root, pjson, name: pjson.name, alias: pjson.name, version: pjson.version, type: 'core'})
    this.isRoot = true
    this.valid = true
    this.hasManifest = true
    this.hooks = {}
    this.moduleType = 'module'
    this.manifest = readJson(root, 'oclif.manifest.json')
    this.commandIDs = Object.keys(this.manifest.commands)
    this.commands = Object.entries(this.manifest.commands).map(([id, listed]) => ({
      ...listed,
      // `argv.ts` knows synonyms by rules; oclif would list each as a further command.
      hiddenAliases: [],
      load: () => this.findCommand(id, {must: true}),
      pluginAlias: pjson.name,
      pluginType: 'core',
    }))
  }

  override async load(): Promise<void> {}

  override findCommand(id: string, options: {must: true}): Promise<Command.Class>
  override findCommand(id: string, options?: {must: boolean}): Promise<Command.Class | undefined>
  override async findCommand(id: string, {must = false}: {must?: boolean} = {}): Promise<Command.Class | undefined> {
    const module = await this.#modules[id]?.()
    if (!module) {
      if (must) throw new Error(`The manifest names the command ${id}, which the bundle lacks: npm run build.`)
      return undefined
    }
    const found = module.default as Command.Class
    found.id = id
    found.plugin = this
    return found
  }
}

const nothing = (): void => {}

/** A silent logger; oclif's own loads `debug` and terminal detection. */
const quiet: Interfaces.Logger = {
  child: () => quiet,
  debug: nothing,
  error: nothing,
  info: nothing,
  namespace: 'oclif',
  trace: nothing,
  warn: nothing,
}

/** oclif over the commands of the bundle, for the built command line. */
export function bundledConfig(root: string, modules: CommandModules): Promise<Config> {
  const pjson = readJson<Interfaces.PJSON>(root, 'package.json')
  const plugin = new BundledPlugin(root, pjson, modules)
  const logger = process.env['DEBUG'] === undefined ? {logger: quiet} : {}
  return Config.load({root, pjson, plugins: new Map([[plugin.name, plugin]]), ...logger})
}
