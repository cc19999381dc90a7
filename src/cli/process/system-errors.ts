import {closeSync, openSync} from 'node:fs'
import {boundedText} from '../../files/bounded-text.js'
import type {Ending} from './exit-codes.js'
import {Failure, usage} from './failure.js'

/** Errors of the file system as sentences, in place of Node's messages. */

const known: ReadonlyMap<string, readonly [ending: Ending, words: string]> = new Map([
  ['ENOSPC', ['localState', 'no space is left on the disk']],
  ['EROFS', ['localState', 'the file system is read-only']],
  ['EIO', ['localState', 'the disk does not work']],
  ['EBADF', ['localState', 'it is not open for writing']],
  ['EFBIG', ['localState', 'the file is too large']],
  ['EDQUOT', ['localState', 'the quota of the disk is used up']],
  ['EADDRINUSE', ['localState', 'the port is in use']],
  ['EMFILE', ['localState', 'too many files are open']],
  ['ENOENT', ['usage', 'there is no such file or folder']],
  ['EISDIR', ['usage', 'it is a folder']],
  ['ENOTDIR', ['usage', 'a part of the path is no folder']],
  ['EACCES', ['usage', 'you may not open it']],
  ['EPERM', ['usage', 'you may not do that']],
  ['EEXIST', ['usage', 'it exists already']],
  ['ELOOP', ['usage', 'too many links follow each other']],
  ['ENAMETOOLONG', ['usage', 'the name is too long']],
])

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** Why a file could not be read or written, as the end of a sentence: `there is no such file or folder`. */
export function whyNot(error: unknown): string {
  const code = codeOf(error)
  return known.get(code)?.[1] ?? (code || 'it failed')
}

const mostBytes = 16 << 20

/** The text of a file that a flag names. Throws usage, which says why it cannot be read. */
export function readText(path: string, hint: string, what = 'file'): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const text = boundedText(file, mostBytes)
    if (text !== undefined) return text
  } catch (error) {
    throw usage(`The ${what} ${path} cannot be read: ${whyNot(error)}.`, hint)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  throw usage(`The ${what} ${path} has more than ${mostBytes} bytes.`, hint)
}

/** What an error without a path is about, by the call that failed: a stream of this process, or its folder. */
const pathless: Record<string, string> = {write: 'The output cannot be written', uv_cwd: 'The current folder'}

/** The failure that an error of the file system is; undefined for any other error. */
export function systemFailure(error: unknown): Failure | undefined {
  const code = codeOf(error)
  const found = known.get(code)
  if (!found) return undefined
  const [ending, words] = found
  const {path, syscall, message} = error as Error & {readonly path?: unknown; readonly syscall?: unknown}
  const what = typeof path === 'string' ? path : (pathless[String(syscall)] ?? message)
  const hint = ending === 'usage' ? 'Check the path and its permissions.' : 'Make room or repair it, then repeat.'
  return new Failure(ending, code, `${what}: ${words} (${code}).`, {hints: [hint]})
}
