import {column, type View} from '../render/view.js'

/** Apart from the views of customers, so that listing profiles loads no schema. */
export const profileView: View = {
  columns: [
    column('current'),
    column('name'),
    column('kind'),
    column('project', 'projectKey'),
    column('api', 'apiUrl'),
    column('writes'),
  ],
  id: 'name',
}
