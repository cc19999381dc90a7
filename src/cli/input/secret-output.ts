import {Flags} from '@oclif/core'
import {omit} from '../../domain/equal.js'
import {wrapped} from '../output/wrap.js'
import {usage} from '../process/failure.js'
import {type Io, written} from '../process/io.js'
import {type FlagValues, outputFile} from './flags.js'

/** Output of a new secret: on a terminal, in a pipe only with --show-secret, or in a private file with --secret-out. */

/** `dependsOn`: the flag that makes the secret; absent: the command always makes one. */
export const secretOutputFlags = (what: string, only: {dependsOn?: string[]; exclusive?: string[]} = {}) => ({
  'secret-out': outputFile('FILE', `Write the ${what} to a new file that only you can read.`, only),
  'show-secret': Flags.boolean({
    ...only,
    exclusive: ['secret-out', ...(only.exclusive ?? [])],
    summary: `Print the ${what} even if the output is not a terminal.`,
  }),
})

interface SecretRun {
  readonly flags: FlagValues<ReturnType<typeof secretOutputFlags>> & {readonly out?: string | undefined}
  readonly io: Io
  readonly files: {result(path: string, text: string): boolean}
  say(text: string): void
}

/** Throws usage, before anything is sent, if the secret could neither be shown on this stream nor be stored. */
export function checkSecretOutput({flags, io}: SecretRun, stream: 'stdout' | 'stderr'): void {
  if (flags['secret-out'] !== undefined || flags['show-secret'] || io[stream].isTTY === true) return
  if (stream === 'stderr' || flags.out === undefined) {
    throw usage('A new secret would go into a pipe.', 'Add --show-secret to print it, or --secret-out FILE.')
  }
}

/** Writes a generated password to the file, or to stderr with its spelling, so that no piped result contains it. */
export async function writePassword(
  password: string,
  spelling: string,
  {files, flags, io: {stderr}}: SecretRun,
): Promise<void> {
  if (flags['secret-out'] === undefined) {
    await written(stderr, `password, shown only once: ${password}\n`)
    await written(stderr, `${wrapped(`read out: ${spelling}`, stderr)}\n`)
  } else files.result(flags['secret-out'], `${password}\n`)
}

/** The result as it is shown: whole, or without its secret members if the file of --secret-out gets the secret. */
export function shownResult<T extends object, K extends keyof T>(
  result: T,
  secret: string,
  members: readonly K[],
  run: SecretRun,
): T | Omit<T, K> {
  const file = run.flags['secret-out']
  if (file === undefined) return result
  if (run.files.result(file, `${secret}\n`)) run.say(`The token is in ${file}.`)
  return omit(result, members)
}
