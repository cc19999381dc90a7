import {Unreachable as NoAnswer} from '../../client/client.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {type Cell, textOfCell} from '../input/cell.js'
import {emptyMembers} from '../mapping/empty-members.js'
import {flatten} from '../mapping/flatten.js'
import {UnexpectedResponse} from '../send/sender.js'
import type {Failed, RowLine} from './journal-lines.js'

/** What the source says of a row, by its own columns and without passwords, so that the row can be reported. */
export const recordOf = ({row, columns, mapper}: CheckedRow): Record<string, string> =>
  row.kind === 'document' ? membersByPath(row.document, mapper) : cellsByColumn(row.cells ?? [], columns, mapper)

const membersByPath = (document: object, mapper: CheckedRow['mapper']): Record<string, string> =>
  Object.fromEntries([...flatten(document)].filter(([path]) => !mapper.isSecret(path)))

function cellsByColumn(
  cells: readonly (Cell | undefined)[],
  columns: CheckedRow['columns'],
  mapper: CheckedRow['mapper'],
): Record<string, string> {
  const kept = (columns ?? []).flatMap((column, at) => {
    const cell = cells[at]
    return cell === undefined || mapper.isSecret(column) ? [] : [[column, textOfCell(cell)] as const]
  })
  return Object.fromEntries(kept)
}

/** The lines that belong to the row as well, in the same way. */
export function furtherOf({row, columns, mapper}: CheckedRow): NonNullable<RowLine['further']> {
  if (row.kind === 'broken') return []
  if (row.kind === 'cells')
    return (row.continuation ?? []).map(({line, cells}) => ({line, record: cellsByColumn(cells, columns, mapper)}))
  return (row.continuation ?? []).map(({line, document}) => ({line, record: membersByPath(document, mapper)}))
}

/** What `recordOf` cannot hold of a row. */
export const emptyOf = ({row}: CheckedRow): readonly string[] =>
  row.kind === 'document' ? emptyMembers(row.document) : []

/** No server should repeat a password in what it says; if one does, it stops here. */
export function withoutSecrets(failed: Failed | undefined, {draft}: CheckedRow): Failed | undefined {
  const secrets = [draft.password, draft.passwordHash].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return (
    failed && {...failed, message: secrets.reduce((text, secret) => text.replaceAll(secret, '****'), failed.message)}
  )
}

const textOf = ({message, detailedErrorMessage}: ApiError['errors'][number]): string =>
  typeof detailedErrorMessage === 'string' ? `${message} ${detailedErrorMessage}` : message

/** What a refusal means to one row; nothing for errors that are not about rows. */
export function failureOf(error: unknown): Failed | undefined {
  if (error instanceof ApiError) {
    const message = error.errors.map(textOf).join(' ')
    const {code, correlationId} = error
    return {outcome: 'failed', code, message, ...defined({correlationId})}
  }
  if (error instanceof NoAnswer) {
    const code = error.sent ? 'UnknownOutcome' : 'Unreachable'
    return {outcome: 'failed', code, message: error.message, correlationId: error.correlationId}
  }
  if (error instanceof UnexpectedResponse) return {outcome: 'failed', code: 'UnknownOutcome', message: error.message}
  return undefined
}
