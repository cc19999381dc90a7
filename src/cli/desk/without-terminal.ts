import {Failure} from '../process/failure.js'
import {acts} from './acts.js'

/** The failure of a desk without anybody at it: it names the commands that do the same. */
export function withoutTerminal(): Failure {
  const commands = [...new Set(acts.map(({command}) => command))]
  return new Failure('needsAnswer', 'AnswerNeeded', 'The desk is for a person at a terminal; prompting is off.', {
    hints: [
      'Use the commands themselves:',
      ['customers find TEXT', 'customers card REF', ...commands.map((command) => `${command} REF`)]
        .map((command) => `frontdesk ${command}`)
        .join(', '),
    ],
  })
}
