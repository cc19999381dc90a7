import * as v from 'valibot'
import type {Project} from '../../api/documents/project.js'
import {operation} from '../../api/operation/operation.js'
import {REALM} from '../../store/store.js'
import {CustomerTokenWish, customerToken} from './customer-token.js'
import {ensureProject} from './first-use.js'
import type {OpenedPlatform} from './platform.js'
import {seedProject} from './seed.js'
import {readSeedPack} from './seed-pack.js'
import {QuoteWish, seedQuote} from './seed-quote.js'

const area = 'Administration'
const permission = {kind: 'admin'} as const

/** What the administration knows beside the platform. */
export interface AdminScope {
  readonly platform: OpenedPlatform
  readonly dataDir: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/**
 * Operations on the server itself, at a prefix that no project key can have. Commands of the same user reach them by
 * the token beside the state; no project token opens them.
 */
export const adminOperations = ({platform, dataDir, startedAt}: AdminScope) => [
  operation({
    id: 'serverStatus',
    method: 'GET',
    path: '/_admin/status',
    summary: 'tell what the server hosts and how long it runs',
    area,
    permission,
    success: 200,
    handle: async () => {
      const {results} = await platform.state.query<Project>(REALM, 'project', {limit: 500, offset: 0})
      const projects = await Promise.all(
        results.map(async ({key}) => {
          const {total = 0} = await platform.state.query(key, 'customer', {limit: 0, offset: 0, count: {cap: 1e9}})
          return {key, customers: total}
        }),
      )
      const body = {
        pid: process.pid,
        startedAt: new Date(startedAt).toISOString(),
        uptimeSeconds: Math.floor((platform.clock() - startedAt) / 1000),
        projects,
        deprecatedUses: Object.fromEntries(platform.deprecatedUses),
        upkeep: platform.state.upkeep?.() ?? {},
      }
      return {status: 200, body}
    },
  }),
  operation({
    id: 'compactState',
    method: 'POST',
    path: '/_admin/compact',
    summary: 'write all documents of the state anew',
    area,
    permission,
    success: 200,
    handle: async () => {
      await platform.state.compact()
      return {status: 200, body: {compacted: true}}
    },
  }),
  operation({
    id: 'addProject',
    method: 'POST',
    path: '/_admin/projects',
    summary: 'add a project, seeded from a folder or empty',
    area,
    permission,
    body: v.object({projectKey: v.string(), seedDir: v.optional(v.string())}),
    success: 200,
    handle: async (_, {body}) => {
      const pack = body.seedDir === undefined ? undefined : await readSeedPack(body.seedDir, platform.secrets.uuid)
      const seeded = pack ? await seedProject(platform, body.projectKey, pack) : {seeded: false, counts: {}}
      await ensureProject(platform, dataDir, body.projectKey)
      return {status: 200, body: seeded}
    },
  }),
  operation({
    id: 'addQuote',
    method: 'POST',
    path: '/_admin/quotes',
    summary: "make a pending quote of a customer's cart",
    area,
    permission,
    body: QuoteWish,
    success: 201,
    handle: async (_, {body}) => ({status: 201, body: await seedQuote(platform, body)}),
  }),
  operation({
    id: 'issueCustomerToken',
    method: 'POST',
    path: '/_admin/customer-tokens',
    summary: 'issue a short-lived token for a customer',
    area,
    permission,
    body: CustomerTokenWish,
    success: 200,
    secrets: ['access_token', 'refresh_token'],
    handle: async (_, {body}) => ({status: 200, body: await customerToken(platform, dataDir, body)}),
  }),
]
