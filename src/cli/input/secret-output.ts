import {Flags} from '@oclif/core'
import {createPrivate} from '../../files/private-file.js'
import {checkOutFile} from '../output/out-file.js'
import {wrapped} from '../output/wrap.js'
import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import type {Given} from './flags.js'

const generated = ['generate-password']

/** Output of a generated password: to a private file, or once on stderr. */
export const secretOutputFlags = {
  'secret-out': Flags.string({
    helpValue: 'FILE',
    dependsOn: generated,
    summary: 'Write the password to a new file that only you can read.',
  }),
  'show-secret': Flags.boolean({
    dependsOn: generated,
    exclusive: ['secret-out'],
    summary: 'Print the password even if stderr is not a terminal.',
  }),
}

export type SecretOutputFlags = Given<typeof secretOutputFlags>

/** Throws usage, before anything is sent, if the secret could not be shown or stored. */
export function checkSecretOutput(flags: SecretOutputFlags, {stderr}: Io): void {
  if (flags['secret-out'] !== undefined) checkOutFile(flags['secret-out'], false)
  else if (!flags['show-secret'] && stderr.isTTY !== true) {
    throw usage('A new secret would go into a pipe.', 'Add --secret-out FILE, or --show-secret if that is meant.')
  }
}

/**
 * Writes the secret to the file, or to stderr, so that it is not part of a piped result. `spelling` says how it is read
 * out.
 */
export function writeSecret(
  secret: string,
  what: string,
  flags: SecretOutputFlags,
  {stderr}: Io,
  spelling?: string,
): void {
  if (flags['secret-out'] === undefined) {
    stderr.write(`${what}, shown only once: ${secret}\n`)
    if (spelling !== undefined) stderr.write(`${wrapped(`read out: ${spelling}`, stderr)}\n`)
  } else createPrivate(flags['secret-out'], `${secret}\n`)
}
