import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {isProjectKey} from '../../domain/project/project.js'
import {namesIn, readPrivate, replacePrivate} from '../../files/private-file.js'
import type {Finding} from '../../store/lowdb/care/doctor.js'

/** The private files that a server keeps beside the state: first clients of projects, and the administration's token. */

/** The credentials of a project's first API client (decision 2). */
export interface LocalClient {
  readonly clientId: string
  readonly clientSecret: string
}

const suffix = '.client.json'
const tokenName = 'admin.token'
const clientPath = (dataDir: string, projectKey: string): string => join(dataDir, `${projectKey}${suffix}`)

/** Parses such a file; undefined if it is truncated or something else. */
function parsedClient(text: string): LocalClient | undefined {
  try {
    const {clientId, clientSecret} = JSON.parse(text) as Record<string, unknown>
    return typeof clientId === 'string' && typeof clientSecret === 'string' ? {clientId, clientSecret} : undefined
  } catch {
    return undefined
  }
}

const noClient = (path: string): string => `${path} holds no API client.`
const otherClient = (path: string): string => `Remove ${path}: the next use of the project makes another client.`

/** Keys of the projects whose first client has a file in the folder, ascending. */
export const clientProjects = (dataDir: string): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .filter(isProjectKey)
    .sort()

/**
 * The first client of a project, if its file exists. Throws StatePermissions if others can read it, StateCorrupt if it
 * is not a client file.
 */
export function localClient(dataDir: string, projectKey: string): LocalClient | undefined {
  const path = clientPath(dataDir, projectKey)
  const text = readPrivate(path)
  if (text === undefined) return undefined
  const client = parsedClient(text)
  if (!client) throw new StateError('StateCorrupt', noClient(path), path, otherClient(path))
  return client
}

export const writeLocalClient = (dataDir: string, projectKey: string, client: LocalClient): void =>
  replacePrivate(clientPath(dataDir, projectKey), `${JSON.stringify(client)}\n`)

/** The token for the administration of a running server, new at each start. */
export const writeAdminToken = (dataDir: string, token: string): void =>
  replacePrivate(join(dataDir, tokenName), `${token}\n`)

export const readAdminToken = (dataDir: string): string | undefined => tokenIn(readPrivate(join(dataDir, tokenName)))

const tokenIn = (text = ''): string | undefined => /^[\w-]{20,}(?=\n$)/.exec(text)?.[0]

export function credentialFindings(dataDir: string): Finding[] {
  // Opening the state reports problems of the folder itself.
  return namesIn(dataDir).flatMap((name): Finding[] => {
    const path = join(dataDir, name)
    const isOfClient = name.endsWith(suffix)
    if (!isOfClient && name !== tokenName) return []
    try {
      const text = readPrivate(path) ?? ''
      if (isOfClient ? parsedClient(text) : tokenIn(text)) return []
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      return [{path, problem: error.message, severity: 'damage', remedy: error.remedy}]
    }
    const remedy = 'Start the server again: it makes another one.'
    return isOfClient
      ? [{path, problem: noClient(path), severity: 'damage', remedy: otherClient(path)}]
      : [{path, problem: `${path} holds no token.`, severity: 'note', remedy}]
  })
}
