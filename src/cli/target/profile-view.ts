import {modelOf} from '../output/known-fields.js'
import {column, kept, type View, whole} from '../output/view.js'
import type {Profile} from './profiles.js'

const profileMembers: readonly (keyof Profile)[] = [
  ...([
    'kind',
    'projectKey',
    'apiUrl',
    'authUrl',
    'store',
    'dataDir',
    'clientId',
    'secret',
    'scopes',
    'output',
  ] as const),
  ...(['readOnly', 'protected', 'requireReason', 'redact', 'caFile', 'resetLink', 'verifyLink'] as const),
]

/** The view of `profiles list`; it stands apart from customer views, so that no schema is loaded. */
export const profileView: View = {
  model: async () => modelOf('name', 'current', 'writes', ...profileMembers),
  columns: [
    whole('name'),
    kept('current'),
    column('kind'),
    column('writes'),
    column('project', 'projectKey'),
    column('api', 'apiUrl'),
  ],
  id: 'name',
}
