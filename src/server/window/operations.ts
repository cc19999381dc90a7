import * as v from 'valibot'
import type {Context, MadeToken} from '../../api/operation/context.js'
import {operation} from '../../api/operation/operation.js'
import {ApiError} from '../../domain/errors.js'
import type {LocalContext} from '../local/platform.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

/** The path of the window, which no project key can have. */
export const windowPath = '/_frontdesk/window'

/** Operations of a server that listens, for its window and `server outbox`. */
export const windowOperations = {
  openWindow: operation({
    id: 'openWindow',
    method: 'POST',
    path: '/_admin/window',
    summary: 'make a code that lets one browser into the window',
    area,
    permission,
    secrets: ['value'],
    handle: async ({platform}: LocalContext) => ({path: windowPath, value: await platform.processes.entryCode()}),
  }),
  listTokens: operation({
    id: 'listTokens',
    method: 'POST',
    path: '/_admin/outbox',
    summary: 'show the one-time tokens that were made last, and the pages of the shop that take them',
    area,
    permission,
    body: v.object({projectKey: v.string()}),
    secrets: ['value'],
    handle: async ({platform}: LocalContext, {body: {projectKey}}) => {
      const {localContext} = await import('../local/local-context.js')
      const context = await localContext(platform, projectKey)
      const made = await platform.processes.tokens(projectKey)
      const tokens = await Promise.all(made.map(async (token) => ({...token, isOpen: await isOpen(context, token)})))
      return {...platform.links, tokens}
    },
  }),
}

/** Whether a token can still be used. */
async function isOpen(context: Context, {value, purpose}: MadeToken): Promise<boolean> {
  const {customerOfToken} = await import('../../api/accounts/one-time-tokens.js')
  try {
    await customerOfToken(context, value, purpose)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
