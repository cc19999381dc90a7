import {Flags} from '@oclif/core'
import {createPrivate} from '../../files/private-file.js'
import {checkOutFile} from '../output/out-file.js'
import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'

/** A secret that was just made: shown to a person once, or put where a program was told to look. */
export const secretOutputFlags = {
  'secret-out': Flags.string({helpValue: 'FILE', summary: 'Write the secret to a new file that only you can read.'}),
  'show-secret': Flags.boolean({summary: 'Print the secret also when nobody is at the terminal.'}),
}

export interface SecretOutputFlags {
  readonly 'secret-out'?: string | undefined
  readonly 'show-secret'?: boolean
}

/** Throws before anything is sent if there would be no place for the secret. */
export function checkSecretOutput(flags: SecretOutputFlags, {stderr}: Io): void {
  if (flags['secret-out'] !== undefined) checkOutFile(flags['secret-out'], false)
  else if (!flags['show-secret'] && stderr.isTTY !== true) {
    throw usage('A new secret would go into a pipe.', 'Add --secret-out FILE, or --show-secret if that is meant.')
  }
}

/** Hands the secret over: to the file, or to stderr, so that a piped result does not carry it. */
export function writeSecret(secret: string, what: string, flags: SecretOutputFlags, {stderr}: Io): void {
  if (flags['secret-out'] === undefined) stderr.write(`${what}, shown only once: ${secret}\n`)
  else createPrivate(flags['secret-out'], `${secret}\n`)
}
