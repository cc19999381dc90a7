import {REALM, type Store} from '../../store/store.js'
import type {Project} from '../documents/project.js'
import type {Platform} from '../operation/context.js'
import type {Exchange} from './exchange.js'
import {Remembered, revisionOf} from './remembered.js'

/** Projects in use at once that are looked up only once. */
const most = 100

const known = new WeakMap<Store, Remembered<Project>>()

/** The project of a path; at once if nothing has changed since it was read. Undefined if there is none. */
export function projectOf(
  {state}: Platform,
  {projectKey}: Exchange['params'],
): Project | undefined | Promise<Project | undefined> {
  if (projectKey === undefined) return undefined
  return known.get(state)?.get(projectKey) ?? readProject(state, projectKey)
}

async function readProject(state: Store, key: string): Promise<Project | undefined> {
  const madeFrom = [revisionOf(state, REALM, 'project')]
  const project = await state.get<Project>(REALM, 'project', key)
  if (!project) return undefined
  const projects = known.get(state) ?? new Remembered<Project>(state, most)
  known.set(state, projects)
  projects.set(key, project, madeFrom)
  return project
}
