import {closeSync} from 'node:fs'
import type {Interfaces} from '@oclif/core'
import {StateError} from '../../domain/errors.js'
import {boundedText} from '../../files/bounded-text.js'
import {openPrivate} from '../../files/private-file.js'
import {usage} from '../process/failure.js'
import {type Io, textWithin} from '../process/io.js'
import {whyNot} from '../process/system-errors.js'
import type {Asker} from './ask.js'
import {switchFlag, textFlag} from './flags.js'
import {byteOrderMark} from './secret-sources.js'

/** Input of secrets: `--NAME-stdin`, `--NAME-file FILE` or a hidden prompt, never a flag value. */

const maxBytes = 65_536

/** The two flags that give a secret: `--NAME-stdin` and `--NAME-file FILE`; `more` says where it may also be. */
export const secretFlags = <N extends string>(name: N, what: string, more = '') =>
  ({
    [`${name}-stdin`]: switchFlag(`Read the ${what} from stdin.`, {exclusive: [`${name}-file`]}),
    [`${name}-file`]: textFlag('FILE', `Read the ${what} from a file that only you can read${more}.`),
  }) as Readonly<Record<`${N}-stdin`, Interfaces.BooleanFlag<boolean>>> &
    Readonly<Record<`${N}-file`, Interfaces.OptionFlag<string | undefined>>>

export const passwordFlags = secretFlags('password', 'password')
export const newPasswordFlags = secretFlags('new-password', 'new password')

interface SecretSource {
  readonly stdin?: boolean | undefined
  readonly file?: string | undefined
}

/** The secret from flags; undefined if no flag names one. */
export async function secretFromFlags({stdin, file}: SecretSource, io: Io): Promise<string | undefined> {
  if (stdin) return checkedSecret(await readAll(io), 'stdin')
  return file === undefined ? undefined : checkedSecret(readSecretFile(file), file)
}

/** The secret from flags or a hidden prompt; a new one is typed twice. */
export async function secretFrom(
  source: SecretSource,
  {io, ask, question, flag, twice}: {io: Io; ask: Asker; question: string; flag: string; twice?: boolean},
): Promise<string> {
  const given = await secretFromFlags(source, io)
  if (given !== undefined) return given
  const typed = await (twice ? ask.twice(question, flag) : ask.hidden(question, flag))
  return checkedSecret(typed, 'the prompt')
}

/** A secret by its flags, `--NAME-stdin` and `--NAME-file`, or by a hidden prompt; a new one is typed twice. */
export function secretOf(
  {io, ask, flags}: {readonly io: Io; readonly ask: Asker; readonly flags: object},
  name: 'password' | 'new-password' | 'current-password' | 'secret',
  question: string,
  {twice = false, otherFlags = ''}: {readonly twice?: boolean; readonly otherFlags?: string} = {},
): Promise<string> {
  const flag = `--${name}-stdin or --${name}-file${otherFlags}`
  return secretFrom(sourceOf(flags, name), {io, ask, question, flag, twice})
}

export function sourceOf(flags: object, name: string): SecretSource {
  const given = flags as Readonly<Record<string, unknown>>
  return {stdin: given[`${name}-stdin`] === true, file: given[`${name}-file`] as string | undefined}
}

/** A secret of exactly one line, without its line break. */
function checkedSecret(text: string, origin: string): string {
  const secret = text.replace(/(\r\n|\r|\n)$/, '')
  if (secret.startsWith(byteOrderMark))
    throw usage(`${origin} begins with a byte order mark.`, 'Save it without one, as plain UTF-8.')
  if (/[\0\uFFFD]/.test(secret)) throw usage(`${origin} holds no UTF-8.`, 'Save it as plain UTF-8.')
  if (secret === '') throw usage(`${origin} holds no secret.`, 'Put the secret on the first line.')
  if (/[\r\n]$/.test(secret)) throw usage(`${origin} ends with more than one line break.`, 'Leave one, or none.')
  if (/[\r\n]/.test(secret)) throw usage(`${origin} holds more than one line.`, 'Put nothing but the secret there.')
  return secret
}

/**
 * Reads a secret file, which nobody else may be able to read. The user named it, so it may be a link, a pipe or a device.
 * Throws StatePermissions and usage.
 */
function readSecretFile(path: string): string {
  const file = openSecret(path)
  try {
    const text = boundedText(file, maxBytes)
    if (text === undefined) throw usage(`The file ${path} is too long for a secret.`, 'Name another file.')
    return text
  } finally {
    closeSync(file)
  }
}

function openSecret(path: string): number {
  try {
    return openPrivate(path, {followLinks: true, allowPipes: true})
  } catch (error) {
    if (error instanceof StateError && error.code === 'StatePermissions') throw error
    if (error instanceof StateError) throw usage(`${path} is a folder.`, 'Name a file.')
    throw usage(`The file ${path} cannot be read: ${whyNot(error)}.`, 'Check the path.')
  }
}

/** All of stdin as text, up to a limit. */
export const readAll = ({stdin}: Io, limitBytes = maxBytes): Promise<string> =>
  textWithin(stdin, limitBytes, () => usage(`stdin holds more than ${limitBytes} bytes.`, 'Pass less.'))
