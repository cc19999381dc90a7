import type {Attribution} from '../customers/customer.js'

export const searchStatuses = ['Activated', 'Deactivated'] as const

/** Whether the customers of a project can be searched, and who said so. */
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
