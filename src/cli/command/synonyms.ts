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

/** The id of the topic or command that a word names below a topic ('' is the root): its own name, or a synonym. */
export function commandIdOf(topic: string, word: string, commands: Commands): string | undefined {
  return [word, ...(synonyms.get(word) ?? [])]
    .map((name) => (topic === '' ? name : `${topic}:${name}`))
    .find((id) => (commands.findCommand(id) ?? commands.findTopic(id)) !== undefined)
}

/** The failure for a word that names nothing below a topic ('' is the root), with what may have been meant. */
export function unknownCommand(topic: string, word: string, config: Commands & Pick<Config, 'commandIDs'>): Failure {
  const words = (id: string): string => id.replaceAll(':', ' ')
  const near = suggestions(topic, word, config.commandIDs, config).map((id) => `\`frontdesk ${words(id)}\``)
  const typed = oneLine(`${words(topic)} ${word}`.trim().slice(0, 80))
  return new Failure('usage', 'UnknownCommand', `There is no command '${typed}'.`, {
    hints: [meansOneOf(near), `See \`frontdesk ${topic === '' ? 'help' : `${words(topic)} --help`}\`.`],
  })
}

/**
 * What stands below the topic and is named or spelled nearly as the word, by its name or a synonym; without a topic also by
 * the last word of a command, with one also a command of the root. Nothing that deletes.
 */
function suggestions(topic: string, word: string, ids: readonly string[], commands: Commands): readonly string[] {
  const prefix = topic === '' ? '' : `${topic}:`
  const harmless = ids.filter((id) => !isDestructive(id))
  const below = harmless.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length).split(':')[0] ?? '')
  const alike = [...synonyms.keys()].map((name) => [name, commandIdOf(topic, name, commands) ?? ''] as const)
  const elsewhere = harmless.filter((id) => id.includes(':') === (topic === ''))
  // Of several by one name the last counts.
  const named = new Map([
    ...elsewhere.map((id) => [id.split(':').at(-1) ?? '', id] as const).reverse(),
    ...alike.filter(([, id]) => id !== '' && !isDestructive(id)),
    ...below.map((step) => [step, prefix + step] as const),
  ])
  return [...new Set(nearest(word, named.keys()).flatMap((name) => named.get(name) ?? []))]
}
