import {Budget} from '../../api/operation/budget.js'
import type {Context, Platform} from '../../api/operation/context.js'
import {defined} from '../../domain/equal.js'
import {notFound} from '../../domain/errors.js'
import type {Project} from '../../domain/project/project.js'
import {REALM} from '../../store/store.js'

/** A context for the local administration in a project. Throws ResourceNotFound if there is no such project. */
export async function localContext(platform: Platform, projectKey: string, storeKey?: string): Promise<Context> {
  const project = await platform.state.get<Project>(REALM, 'project', projectKey)
  if (!project) throw notFound(`The Project with key '${projectKey}' was not found.`)
  if (storeKey !== undefined && !(await platform.state.find(projectKey, 'store', `key:${storeKey}`))) {
    throw notFound(`The Store with key '${storeKey}' was not found.`)
  }
  return {
    platform,
    project,
    principal: {kind: 'admin'},
    correlationId: platform.secrets.uuid(),
    now: platform.clock(),
    budget: new Budget(),
    ...defined({storeKey}),
  }
}
