import type {Config} from '@oclif/core'
import {Failure, meansOneOf, nearest} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'

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
  ['new', ['create']],
  ['add', ['create']],
  ['remove', ['delete', 'forget']],
  ['rm', ['delete', 'forget']],
  ['delete', ['forget']],
])

/** Commands that end something for good: no suggestion offers them. */
const destructive = new Set(['delete', 'remove', 'forget', 'revoke', 'reset', 'restore', 'logout', 'sign-out'])

const isDestructive = (id: string): boolean => destructive.has(id.split(':').at(-1) ?? '')

/** A command by its own id; oclif lists hidden aliases of a manifest as commands as well. */
export function commandAt(id: string, commands: Commands): boolean {
  const found = commands.findCommand(id)
  return found !== undefined && !found.hiddenAliases.includes(id)
}

/** The id of the topic or command that a word names below a topic ('' is the root): its own name, or a synonym. */
export function commandIdOf(topic: string, word: string, commands: Commands): string | undefined {
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
    line.reduce<string | undefined>(
      (topic, word) => (topic === undefined ? topic : commandIdOf(topic, word, commands)),
      '',
    )
  return typed
    .filter((line) => reached(line) === id)
    .map((line) => line.join(':'))
    .filter((alias) => alias !== id)
    .sort()
}

const shownCommands = 3

/** The failure for a word that names nothing below a topic ('' is the root), with what may have been meant. */
export function unknownCommand(topic: string, word: string, config: Commands & Pick<Config, 'commandIDs'>): Failure {
  const words = (id: string): string => id.replaceAll(':', ' ')
  // Started without the bundle, oclif lists synonyms as commands.
  const own = config.commandIDs.filter((id) => commandAt(id, config))
  const near = suggestions(topic, word, own, config).map((id) => `\`frontdesk ${words(id)}\``)
  const typed = oneLine(`${words(topic)} ${word}`.trim().slice(0, 80))
  return new Failure('usage', 'UnknownCommand', `There is no command '${typed}'.`, {
    hints: [meansOneOf(near), `See \`frontdesk ${topic === '' ? 'help' : `${words(topic)} --help`}\`.`],
  })
}

/**
 * What stands below the topic and begins with the word, or holds it, or is spelled alike, by its name or a synonym; the word
 * is never sought below another topic, unless none was named, but by its whole name at the root. Nothing that deletes.
 */
function suggestions(topic: string, word: string, ids: readonly string[], commands: Commands): readonly string[] {
  const asked = word.toLowerCase()
  const prefix = topic === '' ? '' : `${topic}:`
  const harmless = ids.filter((id) => id.startsWith(prefix) && !isDestructive(id))
  const steps = [...new Set(harmless.map((id) => id.slice(prefix.length).split(':')[0] ?? ''))]
  const begin = asked.length < 2 ? [] : steps.filter((step) => step.startsWith(asked))
  const other = new Map(
    [...synonyms.keys()].flatMap((name) => {
      const id = commandIdOf(topic, name, commands)
      return id === undefined || isDestructive(id) ? [] : [[name, id.slice(prefix.length)] as const]
    }),
  )
  const close = nearest(asked, new Set([...steps, ...other.keys()])).map((name) => other.get(name) ?? name)
  const alike = begin.length > 0 ? begin : close
  // `frontdesk reset-password`: the noun was left out.
  const elsewhere = topic === '' ? harmless.filter((id) => id.includes(':') && isLast(asked, id)) : []
  // `frontdesk customers undo`: a noun too many.
  const atRoot = topic === '' ? [] : ids.filter((id) => id === asked && !isDestructive(id))
  return [...new Set([...alike.map((step) => prefix + step), ...elsewhere, ...atRoot])].slice(0, shownCommands)
}

const isLast = (word: string, id: string): boolean => (id.split(':').at(-1) ?? '').startsWith(word)
