import type {Operation} from '../../api/operation/operation.js'
import {storedKinds} from '../../api/operation/stored-kinds.js'
import type {Project} from '../../domain/project/project.js'
import {REALM, type Store} from '../../store/store.js'
import {CustomerTokenRequest, NewProject, QuoteRequest} from './admin-requests.js'
import type {AdministeredContext} from './runtime.js'

/** Declares an operation that the token of the administration opens, and no other. */
export const administrative = <const P extends string, B = undefined, R = undefined>(
  declared: Omit<Operation<P, B, R>, 'area' | 'permission'>,
): Operation<P, B, R> => ({area: 'Administration', permission: {kind: 'admin'}, ...declared})

const ofProject = 'settings are those of the moment'

/**
 * Operations on the server itself, at a prefix that no project key can have. They require the token in the data folder,
 * which commands of the same user read; no project token suffices. Handlers are loaded at their first use.
 */
export const adminOperations = {
  serverStatus: administrative({
    id: 'serverStatus',
    method: 'GET',
    path: '/_admin/status',
    summary: 'tell what the server hosts and how long it runs',
    handle: async ({runtime}: AdministeredContext) => {
      const {state, startedAt, clock, deprecatedUses} = runtime
      const {results} = await state.query<Project>(REALM, 'project', {limit: 500, offset: 0})
      const projects = await Promise.all(results.map(({key}) => countedIn(state, key)))
      return {
        pid: process.pid,
        startedAt: new Date(startedAt).toISOString(),
        uptimeSeconds: Math.floor((clock() - startedAt) / 1000),
        projects,
        deprecatedUses: Object.fromEntries(deprecatedUses),
        upkeep: state.upkeep?.() ?? {},
      }
    },
  }),
  compactState: administrative({
    id: 'compactState',
    method: 'POST',
    path: '/_admin/compact',
    summary: 'remove what has ended, and write all other documents of the state anew',
    handle: async ({runtime: {sweeper, state}, now}: AdministeredContext) => {
      await sweeper.sweep(now)
      await state.compact()
      return {compacted: true}
    },
  }),
  addProject: administrative({
    id: 'addProject',
    method: 'POST',
    path: '/_admin/projects',
    summary: 'add a project, seeded from a folder or empty',
    body: NewProject,
    handle: async ({runtime}: AdministeredContext, {body: {projectKey, seedDir}}) => {
      const [{ensureProject}, {seedFromFolder}, {checkTakesPack}] = await Promise.all([
        import('./first-use.js'),
        import('./seed.js'),
        import('./seed-pack.js'),
      ])
      checkTakesPack(runtime, seedDir)
      const seeded = seedDir === undefined ? undefined : await seedFromFolder(runtime, projectKey, seedDir)
      await ensureProject(runtime, runtime.dataDir, projectKey)
      return seeded ?? {seeded: false, counts: {}}
    },
  }),
  resetProject: administrative({
    id: 'resetProject',
    method: 'POST',
    path: '/_admin/reset',
    summary: 'empty a project, and seed it if a pack is given',
    body: NewProject,
    handle: async ({runtime}: AdministeredContext, {body}) => {
      const {emptied} = await import('./reset-project.js')
      return await emptied(runtime, body)
    },
  }),
  addQuote: administrative({
    id: 'addQuote',
    method: 'POST',
    path: '/_admin/quotes',
    summary: "make a pending quote of a customer's cart",
    body: QuoteRequest,
    unexpected: {project: ofProject, customer: 'another with the email, who comes meanwhile, comes after'},
    success: 201,
    handle: async ({runtime}, {body}) => {
      const {seedQuote} = await import('./seed-quote.js')
      return await seedQuote(runtime, body)
    },
  }),
  issueCustomerToken: administrative({
    id: 'issueCustomerToken',
    method: 'POST',
    path: '/_admin/customer-tokens',
    summary: 'issue a short-lived token for a customer',
    body: CustomerTokenRequest,
    unexpected: {
      project: ofProject,
      customer: 'it is required to be there',
      credential: 'a token carries the epochs that were read',
    },
    secrets: ['access_token', 'refresh_token'],
    handle: async ({runtime}: AdministeredContext, {body}) => {
      const [{customerToken}, {ensureProject}] = await Promise.all([
        import('./customer-token.js'),
        import('./first-use.js'),
      ])
      const client = await ensureProject(runtime, runtime.dataDir, body.projectKey)
      return await customerToken(runtime, client, body)
    },
  }),
}

const everyOne = {limit: 0, offset: 0, count: {cap: 1e9}}

/** How many documents of each kind a project has, and how long they are kept; kinds that it has none of are left out. */
async function countedIn(state: Store, key: string) {
  const kinds = storedKinds.filter(({within}) => within === 'project')
  const counts = await Promise.all(
    kinds.map(async ({kind, retention}) => {
      const {total: count = 0} = await state.query(key, kind, everyOne)
      return {kind, count, kept: retention?.term ?? 'until it is deleted'}
    }),
  )
  const customers = counts.find(({kind}) => kind === 'customer')?.count ?? 0
  return {key, customers, stored: counts.filter(({count}) => count > 0)}
}
