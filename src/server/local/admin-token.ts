import {join} from 'node:path'
import {readPrivate, replacePrivate} from '../../files/private-file.js'

/** The token for the administration of a running server, new at each start, readable by the owner of the state. */

const fileOf = (dataDir: string): string => join(dataDir, 'admin.token')

export const writeAdminToken = (dataDir: string, token: string): void => replacePrivate(fileOf(dataDir), `${token}\n`)

export const readAdminToken = (dataDir: string): string | undefined => readPrivate(fileOf(dataDir))?.trim()
