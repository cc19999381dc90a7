import type {Project} from '../../domain/project/project.js'
import {REALM} from '../../store/store.js'
import type {Platform} from '../operation/context.js'
import type {Exchange} from './exchange.js'
import {byState, RevisionCache, revisionOf} from './revision-cache.js'

/** Of the projects in use, the last so many are looked up only once. */
const cacheOf = byState((state) => new RevisionCache<Project>(state, 100))

/** The project of a path. Undefined if there is none. */
export async function projectOf({state}: Platform, {projectKey}: Exchange['params']): Promise<Project | undefined> {
  if (projectKey === undefined) return undefined
  const cached = cacheOf(state).get(projectKey)
  if (cached) return cached
  const dependsOn = [revisionOf(state, REALM, 'project')]
  const project = await state.get<Project>(REALM, 'project', projectKey)
  if (project) cacheOf(state).set(projectKey, project, dependsOn)
  return project
}
