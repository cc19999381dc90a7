import {retrying} from '../../api/operation/retrying.js'
import {failedSignIns} from '../../api/operation/sign-in-lockout.js'
import {type Document, REALM, type Removal} from '../../store/store.js'
import type {NewProject} from './admin-requests.js'
import {ensureProject, newLocalClient, newProject} from './first-use.js'
import {localContext} from './local-context.js'
import type {LocalClient} from './local-files.js'
import type {AdministeredRuntime, OpenedRuntime} from './runtime.js'
import {extendProject, type SeedResult} from './seed.js'
import {checkTakesPack, packFor} from './seed-pack.js'

const chunk = 2000

/**
 * Empties a project: its resources, messages, API clients and tokens, its outbox, and every lockout. Its first client comes back with
 * the same credentials, and its settings are those of a new project. Other projects keep their resources.
 */
export async function resetProject(
  runtime: AdministeredRuntime,
  projectKey: string,
  client: LocalClient,
): Promise<void> {
  const {state, clock, memory, deprecatedUses, wrongSecrets, inactiveAnswers} = runtime
  await removeAll(runtime, REALM, (kind, doc) => kind === failedSignIns || isOf(projectKey, kind, doc))
  await removeAll(runtime, projectKey, () => true)
  deprecatedUses.clear()
  wrongSecrets.clearAll()
  inactiveAnswers.clearAll()
  memory?.outbox.clear(projectKey)
  const project = newProject(projectKey, new Date(clock()).toISOString())
  const {put} = newLocalClient(runtime, projectKey, client)
  await state.commit(REALM, [put, {kind: 'project', expect: 0, doc: project}])
}

/**
 * The same, and then adds what a seed pack holds, which is read first. Throws ResourceNotFound for an unknown project, and
 * InvalidSetup for a pack that cannot be used.
 */
export async function emptied(runtime: AdministeredRuntime, {projectKey, seedDir}: NewProject): Promise<SeedResult> {
  checkTakesPack(runtime, seedDir)
  await localContext(runtime, projectKey)
  const pack = seedDir === undefined ? undefined : await packFor(projectKey, seedDir, runtime.secrets.uuid)
  const {firstClient, dataDir} = runtime
  await resetProject(runtime, projectKey, firstClient ?? (await ensureProject(runtime, dataDir, projectKey)))
  return pack ? extendProject(runtime, projectKey, pack) : {seeded: false, counts: {}}
}

const isOf = (projectKey: string, kind: string, doc: Document): boolean =>
  kind === 'project' ? doc.id === projectKey : Reflect.get(doc, 'projectKey') === projectKey

async function removeAll(
  {state}: OpenedRuntime,
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
