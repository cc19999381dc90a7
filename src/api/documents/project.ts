import type {Document} from '../../store/store.js'

/** A project's settings, stored in the realm under its key. Source: API › Project. */
export interface Project extends Document {
  readonly key: string
  readonly name: string
  readonly countries: readonly string[]
  readonly currencies: readonly string[]
  readonly languages: readonly string[]
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly messages: {readonly enabled: boolean; readonly deleteDaysAfterCreation: number}
  readonly externalOAuth?: {readonly url: string; readonly authorizationHeader: string}
}

/** `oauth` names the authorization service, so no project can have it (decision 1). */
export const isProjectKey = (key: string): boolean => /^[a-z0-9][a-z0-9_-]{1,35}$/.test(key) && key !== 'oauth'
