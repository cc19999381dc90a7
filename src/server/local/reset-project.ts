import {failedSignIns} from '../../api/operation/lockout.js'
import {retrying} from '../../api/operation/retrying.js'
import {type Document, REALM, type Removal} from '../../store/store.js'
import type {NewProject} from './admin-requests.js'
import {ensureProject, newLocalClient, newProject} from './first-use.js'
import {localContext} from './local-context.js'
import type {LocalClient} from './local-files.js'
import type {AdministeredPlatform, OpenedPlatform} from './platform.js'
import {extendProject, type Seeded} from './seed.js'
import {checkTakesPack, packFor} from './seed-pack.js'

const chunk = 2000

/**
 * Empties a project: its resources, messages, API clients and tokens, its outbox, and every lockout. Its first client comes back with
 * the same credentials, and its settings are those of a new project. Other projects keep their resources.
 */
export async function resetProject(
  platform: AdministeredPlatform,
  projectKey: string,
  client: LocalClient,
): Promise<void> {
  const {state, clock, memory} = platform
  await removeAll(platform, REALM, (kind, doc) => kind === failedSignIns || isOf(projectKey, kind, doc))
  await removeAll(platform, projectKey, () => true)
  memory?.forget(projectKey)
  const project = newProject(projectKey, new Date(clock()).toISOString())
  const {put} = newLocalClient(platform, projectKey, client)
  await state.commit(REALM, [put, {kind: 'project', expect: 0, doc: project}])
}

/**
 * The same, and then adds what a seed pack holds, which is read first. Throws ResourceNotFound for an unknown project, and
 * InvalidSetup for a pack that cannot be used.
 */
export async function emptied(platform: AdministeredPlatform, {projectKey, seedDir}: NewProject): Promise<Seeded> {
  checkTakesPack(platform, seedDir)
  await localContext(platform, projectKey)
  const pack = seedDir === undefined ? undefined : await packFor(projectKey, seedDir, platform.secrets.uuid)
  const {firstClient, dataDir} = platform
  await resetProject(platform, projectKey, firstClient ?? (await ensureProject(platform, dataDir, projectKey)))
  return pack ? extendProject(platform, projectKey, pack) : {seeded: false, counts: {}}
}

const isOf = (projectKey: string, kind: string, doc: Document): boolean =>
  kind === 'project' ? doc.id === projectKey : Reflect.get(doc, 'projectKey') === projectKey

async function removeAll(
  {state}: OpenedPlatform,
  space: string,
  concerns: (kind: string, doc: Document) => boolean,
): Promise<void> {
  // Requests that are on their way may change a document between its reading and its removal.
  await retrying(async () => {
    const removals: Removal[] = []
    for await (const {kind, doc} of state.documents(space)) {
      if (concerns(kind, doc)) removals.push({kind, expect: doc.version, remove: doc.id})
    }
    for (let at = 0; at < removals.length; at += chunk) await state.commit(space, removals.slice(at, at + chunk))
  })
}
