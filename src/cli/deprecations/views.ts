import {valueAt} from '../output/fields.js'
import {column, identifier, kept, type View, whole, wrapping} from '../output/view.js'

const plain = (path: string) => (row: unknown) => String(valueAt(row, path) ?? '').replaceAll('`', '')

/** The day of a removal, which the interface does not publish for all. */
const removal = (row: unknown): string =>
  String(valueAt(row, 'removed') ?? (valueAt(row, 'status') === 'removed' ? 'not dated' : ''))

const rowColumns = [
  whole('id'),
  kept('item', plain('item')),
  column('deprecated'),
  column('removed', removal),
  column('alternative', plain('alternative')),
  column('area'),
]

export const deprecationView: View = {columns: rowColumns}

export const datedDeprecationView: View = {columns: [kept('status'), ...rowColumns]}

export const seenDeprecationView: View = {columns: [kept('uses'), ...rowColumns]}

const dateLine = (row: unknown): string => {
  const dates = Object.entries((valueAt(row, 'dates') ?? {}) as Record<string, string>)
  return dates.length === 0 ? 'not dated' : dates.map(([word, day]) => `${word} ${day}`).join(', ')
}

export const deprecationDetailsView: View = {
  columns: rowColumns,
  card: [
    column('id'),
    column('area'),
    column('kind'),
    column('item', plain('item')),
    column('status'),
    column('dates', dateLine),
    column('alternative', plain('alternative')),
    column('note'),
    column('checked', (row) => (valueAt(row, 'isChecked') === true ? 'by `frontdesk deprecations check`' : 'no')),
    column('source'),
  ],
}

export const scopeRowView: View = {
  columns: [
    wrapping('previous'),
    wrapping('current'),
    column('effective'),
    column('type'),
    column('operation'),
    identifier('id'),
  ],
}
