import * as v from 'valibot'
import {searchIndexingOf, searchStatuses} from '../project.js'
import {projectAction} from '../project-action.js'

export const changeCustomerSearchStatus = projectAction({
  name: 'changeCustomerSearchStatus',
  summary: 'switch Customer Search on or off',
  fields: ['searchIndexing'],
  schema: v.object({status: v.picklist(searchStatuses)}),
  messages: [],
  apply: (project, {status}, {now}) => {
    const indexing = searchIndexingOf(project)
    if (indexing.customers.status === status) return {next: project}
    return {next: {...project, searchIndexing: {...indexing, customers: {status, lastModifiedAt: now}}}}
  },
})
