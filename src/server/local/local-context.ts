import {Budget} from '../../api/operation/budget.js'
import type {Context, Runtime} from '../../api/operation/context.js'
import {checkStore} from '../../api/operation/permit.js'
import {defined} from '../../domain/equal.js'
import {notFound} from '../../domain/errors.js'
import type {Project} from '../../domain/project/project.js'
import {REALM} from '../../store/store.js'

/** A context for the local administration in a project. Throws ResourceNotFound if there is no such project. */
export async function localContext(runtime: Runtime, projectKey: string, storeKey?: string): Promise<Context> {
  const project = await runtime.state.get<Project>(REALM, 'project', projectKey)
  if (!project) throw notFound(`The Project with key '${projectKey}' was not found.`)
  if (storeKey !== undefined) await checkStore(runtime.state, projectKey, storeKey)
  return {
    runtime,
    project,
    principal: {kind: 'admin'},
    correlationId: runtime.secrets.uuid(),
    now: runtime.clock(),
    budget: new Budget(),
    ...defined({storeKey}),
  }
}
