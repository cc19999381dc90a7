import {join} from 'node:path'
import {readPrivate, replacePrivate} from '../../files/private-file.js'

/** The token that administers a running server, made anew at each start, for the user who owns the state. */

const fileOf = (dataDir: string): string => join(dataDir, 'admin.token')

export const writeAdminToken = (dataDir: string, token: string): void => replacePrivate(fileOf(dataDir), `${token}\n`)

export const readAdminToken = (dataDir: string): string | undefined => readPrivate(fileOf(dataDir))?.trim()
