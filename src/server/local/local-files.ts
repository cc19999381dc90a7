import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {readPrivate} from '../../files/private-file.js'
import type {Finding} from '../../store/lowdb/care/doctor.js'
import {noClient, otherClient, parsedClient} from './client-file.js'

const isToken = (text: string): boolean => /^[\w-]{20,}\n$/.test(text)

/** The problems of the files of first clients and of the administration token in a data folder. */
export function credentialFindings(dataDir: string): Finding[] {
  return namesIn(dataDir).flatMap((name): Finding[] => {
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
