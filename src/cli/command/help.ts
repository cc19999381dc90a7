import {type Command, CommandHelp, type Config, Help, type Interfaces} from '@oclif/core'
import {type Io, processIo} from '../process/io.js'
import type {CommandLine} from './argv.js'
import {groups, topics} from './help-topics.js'
import {unknownCommand} from './unknown-command.js'

/** Help of one command: its own flags in full; the global ones have a topic of their own. */
class OwnFlagsHelp extends CommandHelp {
  protected override groupFlags(flags: Command.Flag.Any[]) {
    return {...super.groupFlags(flags), flagGroups: {}}
  }

  protected override defaultUsage(): string {
    return `${super.defaultUsage()} [FLAGS]`
  }

  /** Without the summary, which stands above already. */
  protected override description(): string | undefined {
    return this.command.description === undefined ? undefined : this.wrap(this.render(this.command.description))
  }
}

/** oclif's help with our topics. */
export default class DeskHelp extends Help {
  protected override CommandHelpClass = OwnFlagsHelp
  io: Io = processIo

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, {...options, docopts: false})
    for (const topic of config.topics) {
      const about = groups.get(topic.name.replaceAll(':', ' '))
      if (about !== undefined) topic.description = about
    }
  }

  // oclif rewrites the ids of what it formats; copies keep the configuration as it is.
  protected override formatCommand(command: Command.Loadable): string {
    return super.formatCommand({...command})
  }

  protected override formatCommands(commands: Command.Loadable[]): string {
    return super.formatCommands(commands.map((command) => ({...command})))
  }

  protected override formatTopics(list: Interfaces.Topic[]): string {
    return super.formatTopics(list.map((topic) => ({...topic})))
  }

  protected override log(...parts: string[]): void {
    this.io.stdout.write(`${parts.join(' ')}\n`)
  }

  protected override async showRootHelp(): Promise<void> {
    const {stdin, stderr} = this.io
    if (stdin.isTTY && stderr.isTTY) this.log('A customer is on the phone?  frontdesk desk\n')
    await super.showRootHelp()
    const lines = [...topics].map(([name, {summary}]) => `  ${name.padEnd(14)}${summary}`)
    this.log(`HELP TOPICS (frontdesk help TOPIC)\n${lines.join('\n')}`)
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    await super.showCommandHelp(command)
    const scopes = command['scopes'] as readonly string[] | undefined
    if (scopes) this.log(`SCOPES\n  ${scopes.join('\n  ')}\n`)
    this.log('GLOBAL FLAGS\n  Target, output and safety: frontdesk help flags')
  }
}

/** Help for a topic of help, a group of commands, a command, or all. Throws a usage error for a word that is none. */
export async function showHelp({id, isCommand, unknown}: CommandLine, config: Config, io: Io): Promise<void> {
  const topic = id === '' && unknown !== undefined ? topics.get(unknown) : undefined
  if (topic) {
    io.stdout.write(`${topic.text()}\n`)
    return
  }
  if (!isCommand && unknown !== undefined) throw unknownCommand(id, unknown, config)
  const help = new DeskHelp(config)
  help.io = io
  await help.showHelp(id === '' ? [] : id.split(':'))
}
