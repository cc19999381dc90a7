import {type Command, CommandHelp, type Config, Help, type Interfaces} from '@oclif/core'
import {globalFlags} from '../input/flags.js'
import {wrapped} from '../output/wrap.js'
import {type Io, processIo} from '../process/io.js'
import type {CommandLine} from './argv.js'
import {beginnings, groups, tasks, topics} from './help-topics.js'
import {unknownCommand} from './synonyms.js'

const leastColumns = 40

/** By this much oclif's lists of long flags exceed the given width. */
const spared = 2

const columnsOf = ({stdout}: Io): number => Math.max(leastColumns, (stdout.isTTY && stdout.columns) || 80)

/** Help of one command: its own flags in full; the global ones have a topic of their own. */
class OwnFlagsHelp extends CommandHelp {
  protected override groupFlags(flags: Command.Flag.Any[]) {
    return {...super.groupFlags(flags), flagGroups: {}}
  }

  protected override defaultUsage(): string {
    return `${super.defaultUsage()} [FLAGS]`
  }

  /** Without the summary, which stands above already; filled anew, since the sources break their lines elsewhere. */
  protected override description(): string | undefined {
    const {description} = this.command
    return description && filled(this.render(description), this.opts.maxWidth - this.indentSpacing)
  }
}

const filled = (text: string, columns: number): string =>
  wrapped(text.replace(/\s*\n\s*/g, ' '), {isTTY: true, columns}, '')

function globalFlagLines(columns: number): string {
  const names = Object.entries<{readonly char?: string}>(globalFlags).map(([name, {char}]) =>
    char === undefined ? `--${name}` : `-${char}/--${name}`,
  )
  return wrapped(names.join(' '), {isTTY: true, columns: columns - 2}, '').replace(/^/gm, '  ')
}

/** oclif's help with our topics. */
export default class DeskHelp extends Help {
  protected override CommandHelpClass = OwnFlagsHelp
  readonly io: Io

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}, io: Io = processIo) {
    super(config, {...options, docopts: false, maxWidth: columnsOf(io) - spared})
    this.io = io
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

  // oclif leaves the first line whole, and so the summary of a command.
  override formatRoot(): string {
    const [first = '', ...rest] = super.formatRoot().split('\n')
    return [filled(first, columnsOf(this.io)), ...rest].join('\n')
  }

  protected override summary(command: Command.Loadable): string | undefined {
    const summary = super.summary(command)
    return summary === undefined ? undefined : filled(summary, columnsOf(this.io))
  }

  protected override log(...parts: string[]): void {
    this.io.stdout.write(`${parts.join(' ')}\n`)
  }

  protected override async showRootHelp(): Promise<void> {
    const known = new Map([
      ...this.config.commands.map(({id, summary = ''}) => [id, summary] as const),
      ...this.config.topics.map(({name, description = ''}) => [name, description] as const),
    ])
    const [top, placed] = [[...known.keys()].filter((name) => !name.includes(':')), tasks.flatMap(([, names]) => names)]
    const rest = top.filter((name) => !placed.includes(name)).sort()
    const list = (names: readonly string[]) => names.map((name) => [name, known.get(name) ?? ''] as const)
    this.log(`${this.formatRoot()}\n`)
    this.#section('START HERE', beginnings)
    for (const [task, names] of tasks) this.#section(task, list(names))
    this.#section('MORE', list(rest))
    this.#section(
      'HELP TOPICS (frontdesk help TOPIC)',
      [...topics].map(([name, {summary}]) => [name, summary] as const),
    )
  }

  #section(title: string, rows: readonly (readonly [name: string, about: string])[]): void {
    const width = Math.max(...rows.map(([name]) => name.length)) + 2
    const room = {isTTY: true, columns: columnsOf(this.io) - width - 2}
    const filledIn = (about: string): string => wrapped(about, room, '').replaceAll('\n', `\n${' '.repeat(width + 2)}`)
    const lines = rows.map(([name, about]) => `  ${name.padEnd(width)}${filledIn(about)}`)
    this.log(`${title}\n${lines.join('\n')}\n`)
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    await super.showCommandHelp(command)
    const scopes = command['scopes'] as readonly string[] | undefined
    const width = {isTTY: true, columns: columnsOf(this.io) - 2}
    if (scopes) this.log(`SCOPES\n${scopes.map((line) => wrapped(line, width).replace(/^/gm, '  ')).join('\n')}\n`)
    this.log(`GLOBAL FLAGS (explained by: frontdesk help flags)\n${globalFlagLines(columnsOf(this.io))}`)
  }
}

/** Help for a topic of help, a group of commands, a command, or all. Throws a usage error for an unknown word. */
export async function showHelp({id, isCommand, unknown}: CommandLine, config: Config, io: Io): Promise<void> {
  const topic = id === '' && unknown !== undefined ? topics.get(unknown) : undefined
  if (topic) {
    io.stdout.write(`${io.stdout.isTTY ? reflowed(topic.text(), columnsOf(io)) : topic.text()}\n`)
    return
  }
  if (!isCommand && unknown !== undefined) throw unknownCommand(id, unknown, config)
  const help = new DeskHelp(config, {}, io)
  await help.showHelp(id === '' ? [] : id.split(':'))
}

/** `  label   what it means`, and the lines below it that begin where the meaning does. */
const row = /^( *)(\S+(?: \S+)*)( {2,})(\S.*)$/

/** Text of a help topic for a width: paragraphs filled anew, meanings of rows below each other, other lines as they are. */
export function reflowed(text: string, columns: number): string {
  const shown: string[] = []
  let open: {readonly head: string; words: string; readonly indent: number} | undefined
  const close = (): void => {
    if (open) shown.push(...hanging(open.head, open.words, open.indent, columns))
    open = undefined
  }
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    const [, before = '', label = '', blanks = '', meaning = ''] = row.exec(line) ?? []
    const continues = open !== undefined && line !== '' && indent === open.indent && meaning === ''
    if (open && continues) {
      open.words += ` ${line.trim()}`
      continue
    }
    close()
    if (meaning !== '') open = {head: before + label + blanks, words: meaning, indent: line.length - meaning.length}
    else if (line !== '' && indent === 0) open = {head: '', words: line, indent: 0}
    else shown.push(line)
  }
  close()
  return shown.join('\n')
}

/** A head and words beside it, or below it where there is too little room. */
function hanging(head: string, words: string, indent: number, columns: number): string[] {
  const isBelow = columns - indent < leastMeaning
  const margin = isBelow ? head.length - head.trimStart().length + 4 : indent
  const lines = wrapped(words, {isTTY: true, columns: columns - margin}, '').split('\n')
  const filled = lines.map((line) => ' '.repeat(margin) + line)
  return isBelow ? [head.trimEnd(), ...filled] : [head + lines[0], ...filled.slice(1)]
}

const leastMeaning = 30
