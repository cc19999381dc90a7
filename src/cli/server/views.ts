import type {Snapshot} from '../../client/local/maintenance.js'
import {column, identifier, kept, moment, type View, whole} from '../output/view.js'

/** One-time tokens that a server has made, as links where it has a page for them. */
export const outboxView: View = {
  columns: [
    moment('createdAt'),
    kept('email'),
    column('purpose'),
    moment('expiresAt'),
    column('isOpen'),
    whole('value'),
    whole('link'),
  ],
  id: 'value',
}

/** Operations that a fault may strike. */
export const operationView: View = {
  columns: [whole('id'), kept('summary'), identifier('path'), column('method')],
}

export const snapshotView: View = {
  columns: [
    ...[whole('name'), moment('saved', 'savedAt')],
    kept('projects', (snapshot) => (snapshot as Snapshot).problem ?? (snapshot as Snapshot).projects.join(' ')),
  ],
  id: 'name',
}

/** What a project has, in words: `15 customers, 1 tax category`. */
export const countsText = (counts: readonly (readonly [kind: string, count: number])[]): string =>
  counts.map(([kind, count]) => `${count} ${plural(kind, count)}`).join(', ')

const plural = (kind: string, count: number): string => {
  const words = kind.replaceAll('-', ' ')
  return count === 1
    ? words
    : words
        .replace(/y$/, 'ie')
        .replace(/(s|x|ch)$/, '$1e')
        .concat('s')
}
