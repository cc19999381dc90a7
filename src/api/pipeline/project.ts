import type {Project} from '../../domain/project/project.js'
import {REALM, type Store} from '../../store/store.js'
import {byState, RevisionCache, revisionOf} from '../documents/revision-cache.js'
import type {Runtime} from '../operation/context.js'
import type {Exchange} from './exchange.js'

/** Of the projects in use, the last so many are looked up only once. */
const cacheOf = byState((state) => new RevisionCache<Project>(state, 100))

/** The project of a path, at once where nothing has changed since it was read. Undefined if there is none. */
export function projectOf(
  {state}: Runtime,
  {projectKey}: Exchange['params'],
): Project | undefined | Promise<Project | undefined> {
  return projectKey === undefined ? undefined : (cacheOf(state).get(projectKey) ?? readProject(state, projectKey))
}

async function readProject(state: Store, key: string): Promise<Project | undefined> {
  const dependsOn = [revisionOf(state, REALM, 'project')]
  const project = await state.get<Project>(REALM, 'project', key)
  if (project) cacheOf(state).set(key, project, dependsOn)
  return project
}
