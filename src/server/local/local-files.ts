import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {readPrivate} from '../../files/private-file.js'
import {noClient, otherClient, parsedClient} from './client-file.js'

/** A problem of a credentials file in the data folder. */
export interface FileFinding {
  readonly path: string
  readonly problem: string
  readonly severity: 'damage' | 'note'
  readonly remedy: string
}

const isToken = (text: string): boolean => /^[\w-]{20,}\n$/.test(text)

/** The problems of the files of first clients and of the administration token in a data folder. */
export function credentialFindings(dataDir: string): FileFinding[] {
  return namesIn(dataDir).flatMap((name): FileFinding[] => {
    const path = join(dataDir, name)
    const isOfClient = name.endsWith('.client.json')
    if (!isOfClient && name !== 'admin.token') return []
    try {
      const text = readPrivate(path) ?? ''
      if (isOfClient ? parsedClient(text) : isToken(text)) return []
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      return [{path, problem: error.message, severity: 'damage', remedy: error.remedy}]
    }
    return isOfClient
      ? [
          {
            path,
            problem: noClient(path),
            severity: 'damage',
            remedy: otherClient(path),
          },
        ]
      : [
          {
            path,
            problem: `${path} holds no token.`,
            severity: 'note',
            remedy: 'Start the server again: it makes another one.',
          },
        ]
  })
}

function namesIn(dataDir: string): string[] {
  try {
    return readdirSync(dataDir)
  } catch {
    // Opening the state reports problems of the folder itself.
    return []
  }
}
