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

/** A project that says nothing else is born with a search: here an index costs nothing. */
export const searchIndexingOf = ({searchIndexing}: {readonly searchIndexing?: SearchIndexing}): SearchIndexing =>
  searchIndexing ?? {customers: {status: 'Activated'}}
