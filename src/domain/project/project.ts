import type {Attribution} from '../customers/customer.js'

/** A project's settings as they are stored; its id is its key. Source: API › Project. */
export interface Project {
  readonly id: string
  readonly version: number
  readonly key: string
  readonly name: string
  readonly countries: readonly string[]
  readonly currencies: readonly string[]
  readonly languages: readonly string[]
  readonly createdAt: string
  readonly lastModifiedAt: string
  readonly messages: {readonly enabled: boolean; readonly deleteDaysAfterCreation: number}
  readonly externalOAuth?: ExternalOAuth
  readonly searchIndexing?: SearchIndexing
}

/** The introspection endpoint for external tokens, and the header that authenticates us there (decision 30). */
export interface ExternalOAuth {
  readonly url: string
  readonly authorizationHeader: string
}

const hidden = '****'

/** The header as replies show it: its scheme, with the credentials masked. */
export function maskedHeader(authorizationHeader: string): string {
  const scheme = /^([A-Za-z][A-Za-z0-9-]{0,30}) +\S/.exec(authorizationHeader)?.[1]
  return scheme === undefined ? hidden : `${scheme} ${hidden}`
}

/** `oauth` names the authorization service, so no project can have it (decision 1). */
export const isProjectKey = (key: string): boolean => /^[a-z0-9][a-z0-9_-]{1,35}$/.test(key) && key !== 'oauth'

export const searchStatuses = ['Activated', 'Deactivated'] as const

export interface SearchIndexing {
  readonly customers: {
    readonly status: (typeof searchStatuses)[number]
    readonly lastModifiedAt?: string
    readonly lastModifiedBy?: Attribution
  }
}

/** The search settings of a project; the search is on by default, since an index costs nothing here. */
export const searchIndexingOf = ({searchIndexing}: {readonly searchIndexing?: SearchIndexing}): SearchIndexing =>
  searchIndexing ?? {customers: {status: 'Activated'}}
