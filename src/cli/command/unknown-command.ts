import type {Config} from '@oclif/core'
import {nearest} from '../../deprecations/nearest.js'
import {Failure} from '../process/failure.js'
import {oneLine} from '../render/sanitize.js'

/** The failure for an unknown command, with similar commands. */
export function unknownCommand(argv: readonly string[], config: Config): Failure {
  const words = argv.filter((argument) => !argument.startsWith('-')).slice(0, 3)
  const names = config.commandIDs.map((id) => id.replaceAll(':', ' '))
  const near = words
    .map((_, index) => words.slice(0, words.length - index).join(' '))
    .flatMap((typed) => nearest(typed, names))
  const shown = oneLine(words.slice(0, 2).join(' ').slice(0, 80))
  return new Failure('usage', 'UnknownCommand', `There is no command '${shown}'.`, {
    hints: [
      ...(near.length > 0
        ? [`Did you mean \`frontdesk ${[...new Set(near)].slice(0, 3).join('` or `frontdesk ')}\`?`]
        : []),
      'See `frontdesk help`.',
    ],
  })
}
