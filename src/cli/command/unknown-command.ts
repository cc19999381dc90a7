import type {Config} from '@oclif/core'
import {nearest} from '../../deprecations/nearest.js'
import {Failure} from '../process/failure.js'
import {oneLine} from '../process/sanitize.js'
import {commandAt, isDestructive} from './synonyms.js'

const shownCommands = 3

/** The failure for a word that names nothing below a topic ('' is the root), with what may have been meant. */
export function unknownCommand(
  topic: string,
  word: string,
  config: Pick<Config, 'commandIDs' | 'findCommand' | 'findTopic'>,
): Failure {
  const words = (id: string): string => id.replaceAll(':', ' ')
  // Started without the bundle, oclif lists synonyms as commands.
  const own = config.commandIDs.filter((id) => commandAt(id, config))
  const near = suggestions(topic, word, own).map((id) => `\`frontdesk ${words(id)}\``)
  const typed = oneLine(`${words(topic)} ${word}`.trim().slice(0, 80))
  return new Failure('usage', 'UnknownCommand', `There is no command '${typed}'.`, {
    hints: [
      ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
      `See \`frontdesk ${topic === '' ? 'help' : `${words(topic)} --help`}\`.`,
    ],
  })
}

/**
 * What stands below the topic and begins with the word, or holds it, or is spelled alike; the word is never sought below
 * another topic, unless none was named. Nothing that deletes.
 */
function suggestions(topic: string, word: string, ids: readonly string[]): readonly string[] {
  const asked = word.toLowerCase()
  const prefix = topic === '' ? '' : `${topic}:`
  const harmless = ids.filter((id) => id.startsWith(prefix) && !isDestructive(id))
  const steps = [...new Set(harmless.map((id) => id.slice(prefix.length).split(':')[0] ?? ''))]
  const begin = asked.length < 2 ? [] : steps.filter((step) => step.startsWith(asked))
  const alike = begin.length > 0 ? begin : nearest(asked, steps)
  // `frontdesk reset-password`: the noun was left out.
  const elsewhere = topic === '' ? harmless.filter((id) => id.includes(':') && isLast(asked, id)) : []
  return [...new Set([...alike.map((step) => prefix + step), ...elsewhere])].slice(0, shownCommands)
}

const isLast = (word: string, id: string): boolean => (id.split(':').at(-1) ?? '').startsWith(word)
