import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Command, Config, type Interfaces, Plugin} from '@oclif/core'

/** The modules of the commands by id, each loaded when it is asked for. */
export type CommandModules = Readonly<Record<string, () => Promise<{readonly default: unknown}>>>

const readJson = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T

/**
 * The commands of the bundle as oclif's one plugin, loaded from the bundle. oclif's own way looks for modules on the disk,
 * reads the manifest, and starts the collator of ICU to sort what is in order.
 */
class BundledPlugin extends Plugin {
  readonly #modules: CommandModules
  #manifest: Interfaces.Manifest | undefined

  constructor(root: string, pjson: Interfaces.PJSON, modules: CommandModules) {
    super({root, pjson, isRoot: true})
    this.#modules = modules
    Object.assign(this, {root, pjson, name: pjson.name, alias: pjson.name, version: pjson.version, type: 'core'})
    this.isRoot = true
    this.valid = true
    this.hasManifest = true
    this.hooks = {}
    this.moduleType = 'module'
    this.commandIDs = Object.keys(modules)
    this.commands = this.commandIDs.map((id) => this.#listed(id))
  }

  /** What a start needs of a command; the manifest adds the rest when anything else is read. */
  #listed(id: string): Command.Loadable {
    const load = () => this.findCommand(id, {must: true})
    // `argv.ts` knows synonyms by rules; oclif would list each as a further command.
    const own = {id, load, pluginAlias: this.alias, pluginType: 'core', hiddenAliases: []}
    return completed(own, () => ({...this.#kept(id), ...own}))
  }

  #kept(id: string): Command.Cached {
    this.#manifest ??= readJson<Interfaces.Manifest>(this.root, 'oclif.manifest.json')
    const kept = this.#manifest.commands[id]
    if (!kept) throw new Error(`The manifest lacks the command ${id}: npm run docs.`)
    return kept
  }

  override async load(): Promise<void> {}

  override findCommand(id: string, options: {must: true}): Promise<Command.Class>
  override findCommand(id: string, options?: {must: boolean}): Promise<Command.Class | undefined>
  override async findCommand(id: string, {must = false}: {must?: boolean} = {}): Promise<Command.Class | undefined> {
    const module = await this.#modules[id]?.()
    if (!module) {
      if (must) throw new Error(`The bundle lacks the command ${id}: npm run build.`)
      return undefined
    }
    const found = module.default as Command.Class
    found.id = id
    found.plugin = this
    return found
  }
}

/** An object that takes from `rest` what it lacks before anything of that is read, or all of it. */
function completed<T extends object>(start: object, rest: () => T): T {
  let isComplete = false
  const whole = (target: object): T => {
    if (!isComplete) Object.assign(target, {...rest(), ...target})
    isComplete = true
    return target as T
  }
  return new Proxy(start as T, {
    get: (target, name) => Reflect.get(name in target ? target : whole(target), name) as unknown,
    has: (target, name) => name in target || name in whole(target),
    ownKeys: (target) => Reflect.ownKeys(whole(target)),
  })
}

/** oclif's view of the commands of one plugin, without what a start does not ask for: see docs/performance.md. */
class BundledConfig extends Config {
  readonly #commands: ReadonlyMap<string, Command.Loadable>
  /** As oclif derives them: each command, and each group that its name begins with. */
  readonly #topics = new Map<string, Interfaces.Topic>()

  constructor(options: Interfaces.Options, plugin: Plugin) {
    super(options)
    this.#commands = new Map(plugin.commands.map((command) => [command.id, command]))
    for (const [id, command] of this.#commands) {
      const parts = id.split(':')
      for (let length = parts.length; length > 0; length -= 1) {
        const name = parts.slice(0, length).join(':')
        const described = () => ({name, description: command.summary ?? command.description})
        if (!this.#topics.has(name)) this.#topics.set(name, completed({name}, described))
      }
    }
  }

  override get commands(): Command.Loadable[] {
    return [...this.#commands.values()]
  }

  override get topics(): Interfaces.Topic[] {
    return [...this.#topics.values()]
  }

  override findCommand(id: string, options: {must: true}): Command.Loadable
  override findCommand(id: string, options?: {must: boolean}): Command.Loadable | undefined
  override findCommand(id: string, {must = false}: {must?: boolean} = {}): Command.Loadable | undefined {
    const found = this.#commands.get(id)
    if (must && !found) throw new Error(`There is no command ${id}.`)
    return found
  }

  override findTopic(name: string, options: {must: true}): Interfaces.Topic
  override findTopic(name: string, options?: {must: boolean}): Interfaces.Topic | undefined
  override findTopic(name: string, {must = false}: {must?: boolean} = {}): Interfaces.Topic | undefined {
    const found = this.#topics.get(name)
    if (must && !found) throw new Error(`There is no topic ${name}.`)
    return found
  }

  override getAllCommands(): Command.Loadable[] {
    return this.commands
  }

  override async loadPluginsAndCommands(): Promise<void> {}

  override loadTheme(): ReturnType<Config['loadTheme']> {
    return existsSync(join(this.configDir, 'theme.json')) ? super.loadTheme() : Promise.resolve(undefined)
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
export async function bundledConfig(root: string, modules: CommandModules): Promise<Config> {
  const pjson = readJson<Interfaces.PJSON>(root, 'package.json')
  const plugin = new BundledPlugin(root, pjson, modules)
  const logger = process.env['DEBUG'] === undefined ? {logger: quiet} : {}
  const config = new BundledConfig({root, pjson, plugins: new Map([[plugin.name, plugin]]), ...logger}, plugin)
  await config.load()
  return config
}
