export type {Project} from '../../domain/project/project.js'

/** `oauth` names the authorization service, so no project can have it (decision 1). */
export const isProjectKey = (key: string): boolean => /^[a-z0-9][a-z0-9_-]{1,35}$/.test(key) && key !== 'oauth'
