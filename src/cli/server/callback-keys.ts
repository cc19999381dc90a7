import {createHash} from 'node:crypto'
import {join} from 'node:path'
import {privateFolder, readPrivate, replacePrivate} from '../../files/private-file.js'
import {keyVariable} from '../input/endpoint-secrets.js'
import {Failure} from '../process/failure.js'

/** The API keys of the callback: kept as digests beside the state, two of them while one replaces the other. */

const digestOf = (key: string): string => createHash('sha256').update(key, 'utf8').digest('base64url')

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
