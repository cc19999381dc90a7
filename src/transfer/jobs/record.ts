import type {CheckedRow} from '../check/checked-rows.js'
import {emptyMembers} from '../mapping/empty-members.js'
import {flatten} from '../output/flatten.js'

/** What the source says of a row, by its own columns and without passwords, so that the row can be reported. */
export function recordOf({row, columns, mapper}: CheckedRow): Record<string, string> {
  if (row.kind === 'document') {
    return Object.fromEntries([...flatten(row.document)].filter(([path]) => !mapper.isSecret(path)))
  }
  const cells = (columns ?? []).flatMap((column, at) => {
    const cell = row.cells?.[at]
    return cell === undefined || mapper.isSecret(column) ? [] : [[column, cell] as const]
  })
  return Object.fromEntries(cells)
}

/** What `recordOf` cannot hold of a row. */
export const emptyOf = ({row}: CheckedRow): readonly string[] =>
  row.kind === 'document' ? emptyMembers(row.document) : []
