import {type ApiClient, withScope} from '../../api/documents/api-client.js'
import type {Runtime} from '../../api/operation/context.js'
import {ApiError, StateError} from '../../domain/errors.js'
import {isProjectKey, type Project} from '../../domain/project/project.js'
import {allScopes} from '../../oauth/scopes.js'
import {is} from '../../query/predicates.js'
import {type Put, REALM, VersionConflict} from '../../store/store.js'
import {type LocalClient, localClient, writeLocalClient} from './local-files.js'

export function checkProjectKey(projectKey: string): void {
  if (isProjectKey(projectKey)) return
  const message = `'${projectKey}' is no project key: 2 to 36 of a-z, 0-9, _ and -, beginning with a letter or digit, not 'oauth'.`
  throw ApiError.of('InvalidSetup', {message})
}

/** Default settings of a project: any language, messages kept for 15 days. */
export function newProject(projectKey: string, now: string): Project {
  return {
    id: projectKey,
    version: 1,
    key: projectKey,
    name: projectKey,
    countries: [],
    currencies: [],
    languages: [],
    createdAt: now,
    lastModifiedAt: now,
    messages: {enabled: true, deleteDaysAfterCreation: 15},
  }
}

const firstName = 'first client of a local project'

/** A client with all permissions, and its secret, of which only a digest is stored. */
export function newLocalClient(
  runtime: Runtime,
  projectKey: string,
  given?: LocalClient,
): {put: Put; credentials: LocalClient} {
  const {secrets} = runtime
  const {clientId, clientSecret} = given ?? {clientId: secrets.token(18), clientSecret: secrets.token(24)}
  const doc: ApiClient = {
    id: clientId,
    version: 1,
    projectKey,
    name: firstName,
    scope: allScopes(projectKey).join(' '),
    secretDigest: secrets.digest(clientSecret),
    createdAt: new Date(runtime.clock()).toISOString(),
  }
  return {put: {kind: 'api-client', expect: 0, doc}, credentials: {clientId, clientSecret}}
}

type OnWarning = ((message: string) => void) | undefined

/**
 * Gives the first client of an older state, which held `manage_project` alone, its scopes by name (decision 63), and says
 * so. It stays as it is where the state cannot be written.
 */
async function nameScopes({state}: Runtime, client: ApiClient, onWarning: OnWarning): Promise<void> {
  if (client.scope !== `manage_project:${client.projectKey}`) return
  const doc = withScope(client, allScopes(client.projectKey).join(' '))
  try {
    await state.commit(REALM, [{kind: 'api-client', expect: client.version, doc}])
  } catch (error) {
    if (error instanceof VersionConflict || error instanceof StateError) return
    throw error
  }
  onWarning?.(
    `The first API client of '${client.projectKey}' now holds every scope by name: token requests may name only those.`,
  )
}

/** The same for all projects of a state. */
export async function nameAllScopes(runtime: Runtime, onWarning: OnWarning): Promise<void> {
  const page = {where: is('name', firstName), limit: 10_000, offset: 0}
  const {results} = await runtime.state.query<ApiClient>(REALM, 'api-client', page)
  for (const client of results) await nameScopes(runtime, client, onWarning)
}

/**
 * Creates the project and its first client unless they exist. Writes the file with the secret first, so that there is
 * never a client whose secret is lost.
 */
export async function ensureProject(
  runtime: Runtime,
  dataDir: string,
  projectKey: string,
  onWarning?: OnWarning,
): Promise<LocalClient> {
  checkProjectKey(projectKey)
  const project = await runtime.state.get<Project>(REALM, 'project', projectKey)
  const known = dataDir === ':memory:' ? undefined : localClient(dataDir, projectKey)
  const stored = known && (await runtime.state.get<ApiClient>(REALM, 'api-client', known.clientId))
  if (stored) await nameScopes(runtime, stored, onWarning)
  if (project && known && stored) return known
  const {put, credentials} = newLocalClient(runtime, projectKey)
  if (dataDir !== ':memory:') writeLocalClient(dataDir, projectKey, credentials)
  const now = new Date(runtime.clock()).toISOString()
  const changes = project ? [put] : [put, {kind: 'project', expect: 0, doc: newProject(projectKey, now)}]
  try {
    await runtime.state.commit(REALM, changes)
  } catch (error) {
    // Another server of the same database created the project first.
    if (error instanceof VersionConflict && !project) return ensureProject(runtime, dataDir, projectKey)
    throw error
  }
  return credentials
}
