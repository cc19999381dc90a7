import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {Failure, usage} from '../process/failure.js'
import {type Io, variable} from '../process/io.js'
import {givenSecret} from '../secrets/secret-inputs.js'

/** The API keys of the callback: kept as digests beside the state, two of them while one replaces the other. */

export const keyVariable = 'FRONTDESK_CALLBACK_API_KEY'
const minLength = 16

const digestOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('base64url')

/** The key from its file, stdin or variable; undefined if none is given. Throws for one that could be guessed. */
export async function givenKey(
  {'api-key-file': file, 'api-key-stdin': stdin}: KeyFlags,
  io: Io,
): Promise<string | undefined> {
  const key = (await givenSecret({file, ...(stdin ? {stdin} : {})}, io)) ?? variable(io.env, keyVariable)
  if (key === undefined || (key.length >= minLength && /^[\x21-\x7e]+$/.test(key))) return key
  throw usage(`The API key has fewer than ${minLength} characters, or others than visible ASCII.`, 'Use a longer one.')
}

export interface KeyFlags {
  readonly 'api-key-file'?: string | undefined
  readonly 'api-key-stdin'?: boolean
}

/**
 * The digests that are valid from now on, newest first. A new key stands beside the one before it, until `endRotation`
 * leaves the given one only.
 */
export function keptDigests(
  dataDir: string,
  projectKey: string,
  key: string | undefined,
  endRotation: boolean,
): readonly string[] {
  const path = join(privateFolder(dataDir), `${projectKey}.callback.json`)
  const text = readPrivate(path)
  const before = text === undefined ? [] : (JSON.parse(text) as {digests: string[]}).digests
  const own = key === undefined ? before.slice(0, 1) : [digestOf(key)]
  const digests = endRotation ? own : [...own, ...before.filter((digest) => !own.includes(digest))].slice(0, 2)
  if (digests.length === 0) {
    throw new Failure('needsAnswer', 'AnswerNeeded', 'There is no API key for the callback.', {
      hints: [`Add --api-key-file FILE or --api-key-stdin, or set ${keyVariable}.`],
    })
  }
  replacePrivate(path, `${JSON.stringify({digests})}\n`)
  return digests
}
