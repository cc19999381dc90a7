import type {Config} from '@oclif/core'

type Commands = Pick<Config, 'findCommand' | 'findTopic'>

/** Other words for topics and commands, and what they may stand for; the first that there is counts. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  // topics
  ['customer', ['customers']],
  ['quote', ['quotes']],
  ['message', ['messages']],
  ['profile', ['profiles']],
  ['config', ['profiles']],
  ['job', ['jobs']],
  ['deprecation', ['deprecations']],
  ['tokens', ['token']],
  ['snapshots', ['snapshot']],
  // commands
  ['list', ['query']],
  ['ls', ['query', 'list']],
  ['query', ['list']],
  ['show', ['get']],
  ['get', ['show']],
  ['view', ['card', 'get', 'show']],
  ['search', ['find']],
  ['edit', ['update']],
  ['new', ['create', 'add']],
  ['add', ['create']],
  ['create', ['add']],
  ['remove', ['delete', 'forget']],
  ['rm', ['delete', 'remove', 'forget']],
  ['delete', ['remove', 'forget']],
])

/** Commands that end something for good: no suggestion offers them. */
const destructive = new Set(['delete', 'remove', 'forget', 'revoke', 'reset', 'restore', 'logout', 'sign-out'])

export const isDestructive = (id: string): boolean => destructive.has(id.split(':').at(-1) ?? '')

/** A command by its own id; oclif lists hidden aliases of a manifest as commands as well. */
export function commandAt(id: string, commands: Commands): boolean {
  const found = commands.findCommand(id)
  return found !== undefined && !found.hiddenAliases.includes(id)
}

/** The id of the topic or command that a word names below a topic ('' is the root): its own name, or a synonym. */
export function named(topic: string, word: string, commands: Commands): string | undefined {
  return [word, ...(synonyms.get(word) ?? [])]
    .map((name) => (topic === '' ? name : `${topic}:${name}`))
    .find((id) => commandAt(id, commands) || commands.findTopic(id) !== undefined)
}

/** What else people may type for a command, for the manifest: `customer:show` for `customers:get`. */
export function aliasesOf(id: string, commands: Commands): string[] {
  const words = id
    .split(':')
    .map((name) => [name, ...[...synonyms].filter(([, names]) => names.includes(name)).map(([word]) => word)])
  const typed = words.reduce<string[][]>(
    (lines, some) => lines.flatMap((line) => some.map((word) => [...line, word])),
    [[]],
  )
  const reached = (line: readonly string[]): string | undefined =>
    line.reduce<string | undefined>((topic, word) => (topic === undefined ? topic : named(topic, word, commands)), '')
  return typed
    .filter((line) => reached(line) === id)
    .map((line) => line.join(':'))
    .filter((alias) => alias !== id)
    .sort()
}
