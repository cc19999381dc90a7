/**
 * What a completion script offers, made from the manifest: words, flags and fixed values are written into the script, so
 * that completing them starts no process. What only this machine knows (`@profiles`) the script asks `completion --values`.
 */

/** Kinds of values that only this machine knows. */
export const kinds = ['profiles', 'sessions', 'stores', 'customers', 'jobs'] as const
export type Kind = (typeof kinds)[number]

/** Words to offer, or the kind of them. */
export type Offer = readonly string[] | `@${Kind}`

export interface ListedFlag {
  readonly type: string
  readonly char?: string
  readonly options?: readonly string[]
  readonly hidden?: boolean
}

/** A command as the manifest has it. */
export interface ListedCommand {
  readonly id: string
  readonly hiddenAliases: readonly string[]
  readonly flags: Readonly<Record<string, ListedFlag>>
  readonly args: Readonly<Record<string, {readonly options?: readonly string[]}>>
}

/** A topic, or the root, as it may be typed, and what may follow. */
export interface TopicTable {
  readonly typed: readonly string[]
  readonly next: readonly string[]
}

export interface FlagTable {
  readonly flags: readonly string[]
  /** Flags that a value follows. */
  readonly takes: readonly string[]
  readonly values: readonly {readonly of: readonly string[]; readonly offer: Offer}[]
}

export interface CommandTable extends FlagTable {
  readonly typed: readonly string[]
  /** What may stand as an argument; empty: files. */
  readonly argument: Offer
}

export interface Tables {
  readonly topics: readonly TopicTable[]
  readonly commands: readonly CommandTable[]
  readonly global: FlagTable
}

/** Flags whose values this machine knows, whatever the command. */
export const flagKinds: Readonly<Record<string, Kind>> = {
  profile: 'profiles',
  'confirm-profile': 'profiles',
  from: 'profiles',
  to: 'profiles',
  'as-session': 'sessions',
  saved: 'sessions',
  store: 'stores',
  'in-store': 'stores',
  'add-store': 'stores',
  'remove-store': 'stores',
  as: 'customers',
  resource: 'customers',
}

/** Arguments whose values this machine knows, by the topic or command and the name of the argument. */
export const argumentKinds: Readonly<Record<string, Kind>> = {
  'customers ref': 'customers',
  'profiles name': 'profiles',
  'login name': 'profiles',
  'logout name': 'profiles',
  'token name': 'sessions',
  'jobs job': 'jobs',
}

const words = (id: string): string => id.replaceAll(':', ' ')

function flagTable(flags: Readonly<Record<string, ListedFlag>>, more: Readonly<Record<string, Offer>>): FlagTable {
  const shown = Object.entries(flags).filter(([, {hidden}]) => !hidden)
  const namesOf = ([name, {char}]: readonly [string, ListedFlag]): string[] =>
    char === undefined ? [`--${name}`] : [`--${name}`, `-${char}`]
  const options = shown.filter(([, {type}]) => type === 'option')
  const values = options.flatMap(([name, flag]) => {
    const kind = flagKinds[name]
    const offer: Offer | undefined = flag.options ?? more[name] ?? (kind && `@${kind}`)
    return offer === undefined ? [] : [{of: namesOf([name, flag]), offer}]
  })
  return {flags: shown.flatMap(namesOf), takes: options.flatMap(namesOf), values}
}

function argumentOf({id, args}: ListedCommand): Offer {
  const [topic = ''] = id.split(':')
  const found = Object.entries(args).map(([name, {options}]): Offer | undefined => {
    const kind = argumentKinds[`${words(id)} ${name}`] ?? argumentKinds[`${topic} ${name}`]
    return options ?? (kind && `@${kind}`)
  })
  return found.find((offer) => offer !== undefined) ?? []
}

/** What may follow each topic and the root, with the synonyms of topics. */
function topicTables(commands: readonly ListedCommand[], helpTopics: readonly string[]): TopicTable[] {
  const topics = new Map<string, {typed: Set<string>; next: Set<string>}>()
  for (const {id, hiddenAliases} of commands) {
    const steps = id.split(':')
    for (const [index, step] of steps.entries()) {
      const topic = steps.slice(0, index).join(' ')
      const table = topics.get(topic) ?? {typed: new Set([topic]), next: new Set()}
      table.next.add(step)
      for (const alias of hiddenAliases) table.typed.add(alias.split(':').slice(0, index).join(' '))
      topics.set(topic, table)
    }
  }
  const root = topics.get('')?.next ?? new Set<string>()
  const help = {typed: ['help'], next: [...root, ...helpTopics]}
  root.add('help')
  return [...[...topics.values()].map(({typed, next}) => ({typed: [...typed], next: [...next]})), help]
}

/** The tables of a manifest. `more` are fixed values of flags that the manifest does not list. */
export function tablesOf(
  commands: readonly ListedCommand[],
  globalFlags: Readonly<Record<string, ListedFlag>>,
  helpTopics: readonly string[],
  more: Readonly<Record<string, Offer>>,
): Tables {
  return {
    topics: topicTables(commands, helpTopics),
    commands: commands.map((command) => ({
      typed: [words(command.id), ...command.hiddenAliases.map(words)],
      ...flagTable(command.flags, more),
      argument: argumentOf(command),
    })),
    global: flagTable(globalFlags, more),
  }
}
