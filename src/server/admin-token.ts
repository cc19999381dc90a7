import {join} from 'node:path'
import {readPrivateFile, writePrivateFile} from './private-file.js'

/** The token that administers a running server, made anew at each start, for the user who owns the state. */

const fileOf = (dataDir: string): string => join(dataDir, 'admin.token')

export const writeAdminToken = (dataDir: string, token: string): Promise<void> =>
  writePrivateFile(fileOf(dataDir), `${token}\n`)

export async function readAdminToken(dataDir: string): Promise<string | undefined> {
  return (await readPrivateFile(fileOf(dataDir)))?.trim()
}
